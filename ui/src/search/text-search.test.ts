import { describe, expect, it } from "vitest";
import type { SearchAnswer, SearchItem } from "../api/search";
import { TextSearch } from "./text-search.svelte";

function answer(paths: string[], anchor: string | null = null): SearchAnswer {
  const items = paths.map((path) => ({ path: { text: path, highlights: [] } }) as unknown as SearchItem);
  return { items, total: paths.length, anchor, partial: null };
}

const paths = (search: TextSearch) => search.answer?.items.map(({ path }) => path.text);

describe("TextSearch", () => {
  it("shows the answer to what was asked last", async () => {
    const answers = new Map<string, (answer: SearchAnswer) => void>();
    const search = new TextSearch({ find: (query) => new Promise((resolve) => answers.set(query, resolve)) });
    const [first, second] = [search.ask("a"), search.ask("ab")];
    answers.get("ab")?.(answer(["/ab"]));
    await second;
    answers.get("a")?.(answer(["/a"]));
    await first;
    expect(paths(search)).toEqual(["/ab"]);
  });

  it("adds what follows", async () => {
    const search = new TextSearch({
      find: async (_query, { anchor } = {}) => Promise.resolve(anchor === "1" ? answer(["/b"]) : answer(["/a"], "1")),
    });
    await search.ask("a");
    await search.more();
    expect(paths(search)).toEqual(["/a", "/b"]);
    expect(await search.more()).toBeNull();
  });

  it("keeps the error until something else is asked", async () => {
    const search = new TextSearch({ find: () => Promise.reject(new Error("no")) });
    await search.ask("a");
    expect(search.failed).toBeInstanceOf(Error);
    await search.ask("");
    expect(search.failed).toBeNull();
  });
});
