import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageResult, PartialAnswer, SearchAnswer, SearchApi, SearchOptions } from "../../api/search";
import { KindSearch } from "./kind-search.svelte";

type Answer = SearchAnswer<"page">;
type Find = (query: string, options: SearchOptions) => Promise<Answer>;

const READING: PartialAnswer = { reason: "indexing", indexed: 1, of: 9 };

function searchOf(find: Find): KindSearch<"page"> {
  const api = { find: (_kind, query, options = {}) => find(query, options) } as Pick<SearchApi, "find">;
  return new KindSearch(api, "page", { first: 2, next: 3, repeats: true });
}

function answer(names: string, anchor: string | null = null, partial: PartialAnswer | null = null): Answer {
  const items = [...names].map((name) => ({ kind: "page", page_id: name }) as PageResult);
  return { items, total: items.length, anchor, partial };
}

/** Answers with parts of all results, as the server does. */
function partsOf(names: string, partial: PartialAnswer | null = null): Find {
  return (_query, { anchor, limit = 0 }) => {
    const from = Number(anchor ?? 0);
    const end = from + limit;
    return Promise.resolve(answer(names.slice(from, end), end < names.length ? `${end}` : null, partial));
  };
}

const names = (search: KindSearch<"page">) => search.items.map(({ page_id }) => page_id).join("");

describe("KindSearch", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("shows the answer to the latest query", async () => {
    const answers = new Map<string, (answer: Answer) => void>();
    const search = searchOf((query) => new Promise((resolve) => answers.set(query, resolve)));
    const [first, second] = [search.ask("a"), search.ask("ab")];
    answers.get("ab")?.(answer("b"));
    await second;
    answers.get("a")?.(answer("a"));
    await first;
    expect(names(search)).toBe("b");
  });

  it("adds further results without duplicates", async () => {
    const find = vi.fn(partsOf("abcdefg"));
    const search = searchOf(find);
    await search.ask("x");
    // Another result has been inserted meanwhile, before the shown ones.
    find.mockImplementationOnce(() => Promise.resolve(answer("bcd", "5")));
    expect((await search.more())?.page_id).toBe("c");
    expect(names(search)).toBe("abcd");
    await search.more();
    expect(names(search)).toBe("abcdfg");
    expect(search.hasMore).toBe(false);
    expect(await search.more()).toBeNull();
  });

  it("a repeated query keeps its number of results", async () => {
    const search = searchOf(partsOf("abcdefg"));
    await search.ask("x");
    await search.more();
    await search.ask("x");
    expect(names(search)).toBe("abcde");
    await search.ask("y");
    expect(names(search)).toBe("ab");
  });

  it("keeps the error until the query changes", async () => {
    const search = searchOf(() => Promise.reject(new Error("no")));
    await search.ask("a");
    expect([search.failed, search.query]).toEqual([new Error("no"), "a"]);
    await search.ask("");
    expect(search.failed).toBeNull();
  });

  it("asks again while partial, less and less often", async () => {
    const find = vi.fn(partsOf("abc", READING));
    const search = searchOf(find);
    await search.ask("x");
    const limits: number[] = [];
    for (const pause of [1_000, 2_000, 4_000, 8_000, 8_000]) {
      await vi.advanceTimersByTimeAsync(pause - 1);
      const before = find.mock.calls.length;
      await vi.advanceTimersByTimeAsync(1);
      limits.push(find.mock.calls.length - before);
    }
    expect(limits).toEqual([1, 1, 1, 1, 1]);
    find.mockImplementation(partsOf("abcd"));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(search.partial).toBeNull();
    find.mockClear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(find).not.toHaveBeenCalled();
  });

  it.each(["time_limit", "long_pages"] as const)("does not repeat a search after %s", async (reason) => {
    const find = vi.fn(partsOf("abc", { reason, indexed: 1, of: 9 }));
    const search = searchOf(find);
    await search.ask("x", { revisions: true });
    find.mockClear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(find).not.toHaveBeenCalled();
  });

  it("asks for further parts with the same scope", async () => {
    const find = vi.fn(partsOf("abcdefg", READING));
    const search = searchOf(find);
    await search.ask("x", { deleted: true });
    await search.more();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(find).toHaveBeenCalledTimes(3);
    expect(find.mock.calls.every(([, { deleted }]) => deleted)).toBe(true);
  });

  it("pauses briefly for another query, ends on leaving", async () => {
    const find = vi.fn(partsOf("abc", READING));
    const search = searchOf(find);
    await search.ask("x");
    await vi.advanceTimersByTimeAsync(3_000);
    await search.ask("y");
    find.mockClear();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(find.mock.calls.map(([query]) => query)).toEqual(["y"]);
    search.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it("extends a partial answer, and continues asking", async () => {
    const find = vi.fn(partsOf("abcdefg", READING));
    const search = searchOf(find);
    await search.ask("x");
    await search.more();
    find.mockImplementation(partsOf("gabcdef"));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(names(search)).toBe("gabcd");
  });
});
