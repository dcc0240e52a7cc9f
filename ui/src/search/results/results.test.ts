import { expect, it, vi } from "vitest";
import { SEARCH_KINDS, type SearchAnswer, type SearchApi, type SearchItem, type SearchKind, type SearchOptions } from "../../api/search";
import { Results } from "./results.svelte";

/** Opens results whose answers the test resolves. */
function open() {
  const give = {} as Record<SearchKind, (count: number | Error, partial?: boolean) => void>;
  const find = vi.fn<(kind: SearchKind, query: string, options: SearchOptions) => Promise<SearchAnswer>>((kind) => {
    const answering = new Promise<SearchAnswer>((resolve, reject) => {
      give[kind] = (found, partial = false) => {
        if (found instanceof Error) return reject(found);
        const items = Array.from({ length: found }, (_, index) => ({ kind: "page", page_id: `${index}` }) as SearchItem);
        resolve({ items, total: 10 * found, anchor: null, partial: partial ? { reason: "reading_pictures", indexed: 0, of: 1 } : null });
      };
    });
    return answering;
  });
  const results = new Results({ find } as unknown as Pick<SearchApi, "find">);
  const answer = async (kind: SearchKind, ...given: [number | Error, boolean?]) => {
    give[kind](...given);
    await vi.waitFor(() => expect(results.haveAnswered([kind], { query: "x" })).toBe(true));
  };
  return { results, find, answer };
}

it("requests all kinds at once, few besides pages", () => {
  const { results, find } = open();
  void results.ask({ query: "x" });
  expect(find.mock.calls.map(([kind, query, { limit }]) => [kind, query, limit])).toEqual([
    ["page", "x", 30],
    ["picture", "x", 12],
    ["file", "x", 6],
    ["record", "x", 6],
  ]);
  results.stop();
});

it("only asks again the kinds a scope concerns", async () => {
  const { results, find, answer } = open();
  const requests = () => find.mock.calls.splice(0).map(([kind, , { deleted, revisions }]) => ({ kind, deleted, revisions }));
  void results.follow({ query: "x" });
  for (const kind of SEARCH_KINDS) await answer(kind, 1);
  requests();
  void results.follow({ query: "x", deleted: true });
  expect(requests()).toEqual([
    { kind: "page", deleted: true },
    { kind: "file", deleted: true },
  ]);
  void results.follow({ query: "x", deleted: true, revisions: true });
  expect(requests()).toEqual([{ kind: "page", deleted: true, revisions: true }]);
  expect(results.haveAnswered(["picture"], { query: "x", revisions: true })).toBe(true);
  expect(results.haveAnswered(["page"], { query: "x" })).toBe(true);
  expect(results.haveAnswered(["page"], { query: "x", revisions: true })).toBe(false);
  results.stop();
});

it("shows pages at once, others in their order", async () => {
  const { results, answer } = open();
  void results.ask({ query: "x" });
  await answer("record", 1);
  expect(results.shown(SEARCH_KINDS)).toEqual([]);
  await answer("page", 2);
  expect(results.shown(SEARCH_KINDS)).toEqual(["page"]);
  expect(results.haveAnswered(SEARCH_KINDS, { query: "x" })).toBe(false);
  await answer("file", 0);
  await answer("picture", 1);
  expect(results.shown(SEARCH_KINDS)).toEqual(["page", "picture", "record"]);
  expect(results.shown(["record"])).toEqual(["record"]);
  expect([results.haveAnswered(SEARCH_KINDS, { query: "x" }), results.total(SEARCH_KINDS)]).toEqual([true, 40]);
});

it("shows a failed or partial kind with others", async () => {
  const { results, answer } = open();
  void results.ask({ query: "x" });
  await answer("page", 1);
  await answer("picture", new Error("no"));
  await answer("file", 0, true);
  await answer("record", 0);
  expect(results.shown(SEARCH_KINDS)).toEqual(["page", "picture", "file"]);
  results.stop();
});
