import { describe, expect, it } from "vitest";
import type { PageResult, SearchAnswer, SearchApi } from "../api/search";
import { TextSearch } from "./text-search.svelte";

type Find = (query: string, anchor: string | null) => Promise<SearchAnswer<"page">>;

function searchOf(find: Find): TextSearch<"page"> {
  const api = { find: (_kind, query, { anchor = null } = {}) => find(query, anchor) } as Pick<SearchApi, "find">;
  return new TextSearch(api, "page", 30);
}

function answer(paths: string[], anchor: string | null = null): SearchAnswer<"page"> {
  const items = paths.map((path) => ({ path: { text: path, highlights: [] } }) as unknown as PageResult);
  return { items, total: paths.length, anchor, partial: null };
}

const paths = (search: TextSearch<"page">) => search.answer?.items.map(({ path }) => path.text);

describe("TextSearch", () => {
  it("shows the answer to what was asked last", async () => {
    const answers = new Map<string, (answer: SearchAnswer<"page">) => void>();
    const search = searchOf((query) => new Promise((resolve) => answers.set(query, resolve)));
    const [first, second] = [search.ask("a"), search.ask("ab")];
    answers.get("ab")?.(answer(["/ab"]));
    await second;
    answers.get("a")?.(answer(["/a"]));
    await first;
    expect(paths(search)).toEqual(["/ab"]);
  });

  it("adds what follows", async () => {
    const search = searchOf((_query, anchor) => Promise.resolve(anchor === "1" ? answer(["/b"]) : answer(["/a"], "1")));
    await search.ask("a");
    await search.more();
    expect(paths(search)).toEqual(["/a", "/b"]);
    expect(await search.more()).toBeNull();
  });

  it("keeps the error until something else is asked", async () => {
    const search = searchOf(() => Promise.reject(new Error("no")));
    await search.ask("a");
    expect(search.failed).toBeInstanceOf(Error);
    await search.ask("");
    expect(search.failed).toBeNull();
  });
});
