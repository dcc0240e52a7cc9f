import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FoundPage } from "../../api/backend";
import { nameAndPlace, PageSearch, withRecentFirst } from "./page-search.svelte";

function foundPage(path: string, score = 40_000): FoundPage {
  return { page_id: `P${path}`, path, score, title: null, path_spans: [{ text: path, matched: false }], title_spans: [] };
}

describe("searching while typing", () => {
  let answers: Map<string, { answer: (pages: FoundPage[]) => void; fail: () => void; signal: AbortSignal | undefined }>;
  let search: PageSearch;

  beforeEach(() => {
    vi.useFakeTimers();
    answers = new Map();
    search = new PageSearch({
      search: (query, _limit, signal) =>
        new Promise((answer, reject) => {
          answers.set(query, { answer, fail: () => reject(new Error("down")), signal });
          signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
        }),
    });
  });
  afterEach(() => vi.useRealTimers());

  const paths = () => search.shown.pages.map(({ path }) => path);

  it("keeps the results until the next answer", async () => {
    search.ask("a");
    answers.get("a")?.answer([foundPage("/a")]);
    await search.settled();
    search.ask("ab");
    expect([search.shown.query, ...paths()]).toEqual(["a", "/a"]);
    answers.get("ab")?.answer([foundPage("/ab")]);
    await search.settled();
    expect([search.shown.query, ...paths()]).toEqual(["ab", "/ab"]);
  });

  it("shows older answers only before newer ones", async () => {
    search.ask("a");
    search.ask("ab");
    search.ask("abc");
    answers.get("ab")?.answer([foundPage("/ab")]);
    await vi.waitFor(() => expect(paths()).toEqual(["/ab"]));
    expect(answers.get("a")?.signal?.aborted).toBe(true);
    answers.get("abc")?.answer([foundPage("/abc")]);
    answers.get("a")?.answer([foundPage("/a")]);
    await search.settled();
    expect(paths()).toEqual(["/abc"]);
  });

  it("drops old results when an answer takes long", async () => {
    search.ask("a");
    answers.get("a")?.answer([foundPage("/a")]);
    await search.settled();
    search.ask("ab");
    vi.advanceTimersByTime(149);
    expect(search.shown.query).toBe("a");
    vi.advanceTimersByTime(1);
    expect(search.shown).toEqual({ query: "ab", pages: [], state: "waiting" });
    answers.get("ab")?.answer([foundPage("/ab")]);
    await search.settled();
    expect(search.shown.state).toBe("found");
  });

  it("reports a failure, and works again", async () => {
    search.ask("a");
    answers.get("a")?.fail();
    await search.settled();
    expect(search.shown).toEqual({ query: "a", pages: [], state: "failed" });
    search.ask("ab");
    answers.get("ab")?.answer([foundPage("/ab")]);
    await search.settled();
    expect(search.shown.state).toBe("found");
  });

  it("clears its state when the field is emptied", async () => {
    search.ask("a");
    search.ask("");
    expect(answers.get("a")?.signal?.aborted).toBe(true);
    await search.settled();
    vi.advanceTimersByTime(1_000);
    expect(search.shown).toEqual({ query: "", pages: [], state: "found" });
  });
});

describe("the order", () => {
  it("ranks recently opened pages first among equals", () => {
    const pages = [foundPage("/exact", 99_990), foundPage("/a", 69_998), foundPage("/b", 69_997), foundPage("/c", 69_996), foundPage("/part", 49_000)];
    const ordered = withRecentFirst(pages, ["P/part", "P/c", "P/b"]);
    expect(ordered.map(({ path }) => path)).toEqual(["/exact", "/c", "/b", "/a", "/part"]);
  });
});

describe("a path split into name and place", () => {
  const span = (text: string, matched = false) => ({ text, matched });

  it.each([
    [[span("/旅/京都")], [span("京都")], [span("/旅")]],
    [[span("/京都")], [span("京都")], []],
    [[span("/旅/"), span("京", true), span("都")], [span(""), span("京", true), span("都")], [span("/旅")]],
    [[span("/"), span("旅/京", true), span("都")], [span("京", true), span("都")], [span("/"), span("旅", true)]],
  ])("%j", (path, name, place) => {
    expect(nameAndPlace(path)).toEqual({ name, place });
  });
});
