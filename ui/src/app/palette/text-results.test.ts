import { describe, expect, it } from "vitest";
import type { ResultOf, SearchAnswer, SearchKind } from "../../api/search";
import { FakeBackend } from "../../testing/fake-backend";
import { TextResults } from "./text-results.svelte";

function answer<K extends SearchKind>(kind: K, count: number): SearchAnswer<K> {
  const items = Array.from({ length: count }, (_, index) => ({ kind, page_id: `${index}`, path: { text: "/x", highlights: [[1, 2]] }, snippets: [] }) as unknown as ResultOf<K>);
  return { items, total: count, anchor: null, partial: null };
}

function open() {
  const { finds, search } = new FakeBackend();
  finds.page.mockResolvedValue(answer("page", 9));
  finds.picture.mockResolvedValue(answer("picture", 9));
  finds.file.mockResolvedValue(answer("file", 9));
  finds.record.mockResolvedValue(answer("record", 9));
  return { finds, results: new TextResults(search) };
}

const counts = (results: TextResults, query: string, listed = new Set<string>()) => {
  const items = results.of(query, listed);
  return (["page", "picture", "file", "record"] as const).map((kind) => items.filter((item) => item.kind === kind).length);
};

describe("TextResults", () => {
  it("lists text matches of pages, and few others", async () => {
    const { finds, results } = open();
    await results.ask("x");
    expect(counts(results, "x")).toEqual([6, 3, 3, 3]);
    expect(counts(results, "x", new Set(["0", "1", "2", "3"]))[0]).toBe(5);
    expect(results.of("x", new Set()).map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1])).toEqual(["page", "picture", "file", "record"]);
    expect(finds.picture).toHaveBeenCalledWith("x", { limit: "3" });
  });

  it("omits pages without typed words, unless by operators", async () => {
    const { finds, results } = open();
    const path = { text: "/x", highlights: [] };
    const page = { kind: "page", page_id: "1", path, snippets: [{ text: "a", highlights: [] }] } as unknown as ResultOf<"page">;
    finds.page.mockResolvedValue({ items: [page], total: 1, anchor: null, partial: null });
    await results.ask("aya");
    expect(counts(results, "aya")[0]).toBe(0);
    await results.ask("tag:x");
    expect(counts(results, "tag:x")[0]).toBe(1);
  });

  it("requests other kinds after pages, for current text", async () => {
    const { finds, results } = open();
    let answerPages: (answer: SearchAnswer<"page">) => void = () => {};
    finds.page.mockReturnValueOnce(new Promise((resolve) => (answerPages = resolve)));
    const first = results.ask("x");
    expect(finds.picture).not.toHaveBeenCalled();
    const second = results.ask("xy");
    answerPages(answer("page", 1));
    await Promise.all([first, second]);
    expect(finds.picture.mock.calls.map(([query]) => query)).toEqual(["xy"]);
    expect(results.of("x", new Set())).toEqual([]);
  });

  it("lists the other kinds when one fails", async () => {
    const { finds, results } = open();
    finds.page.mockRejectedValue(new Error("no"));
    finds.file.mockRejectedValue(new Error("no"));
    await results.ask("x");
    expect(counts(results, "x")).toEqual([0, 3, 0, 3]);
    await results.ask("");
    expect(counts(results, "")).toEqual([0, 0, 0, 0]);
    expect(finds.record).toHaveBeenCalledTimes(1);
  });
});
