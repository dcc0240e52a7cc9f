import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend, FolderListing, FolderQuery } from "../../api/backend";
import { ROOT_PATH } from "../../api/names";
import { Listing } from "../listing/listing.svelte";
import { FolderChangedError } from "../listing/folder-changed-error";
import { nextMatch } from "./type-ahead";

let names: string[];
let reading: string;
const answer = ({ offset = 0, limit = 50 }: FolderQuery): Promise<FolderListing> => {
  const entries = names
    .slice(offset, offset + limit)
    .map((name) => ({ name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z" }));
  return Promise.resolve({ root: "R1", path: "", listing: reading, total: names.length, pictures: 0, unread: 0, offset, entries });
};
const list = vi.fn(answer);

async function open(all: string[]): Promise<Listing> {
  names = all;
  const listing = new Listing({ folders: { list } } as unknown as Backend, "R1", ROOT_PATH, { sort: "name", order: "asc" });
  await vi.waitFor(() => expect(listing.state).toBe("ready"));
  return listing;
}

const next = async (listing: Listing, from: number, text: string, continues = false, signal = new AbortController().signal) =>
  nextMatch(listing, from, { text, continues }, signal);

beforeEach(() => {
  reading = "1";
  list.mockReset().mockImplementation(answer);
});

describe("the next match", () => {
  it.each<[number, string, boolean, number | null]>([
    [0, "b", false, 2],
    [2, "b", false, 3],
    [3, "b", false, 2],
    [2, "be", true, 2],
    [2, "be", false, 3],
    [2, "bee", true, 3],
    [2, "bb", true, 3],
    [3, "bbb", true, 2],
    [0, "a", false, 1],
    [1, "a", false, 0],
    [5, "c", false, 5],
    [0, "x", false, null],
    [0, "", false, null],
    [0, "ＢＥ", false, 2],
    [0, "かめ", false, 4],
    [0, "ｶﾒ", false, 4],
    [0, "\\n", false, 6],
  ])("from %i by “%s” (continuing: %j) is %j", async (from, text, continues, expected) => {
    const listing = await open(["Apple", "air", "Be", "bees", "カメラ", "c", "\nodd"]);
    expect(await next(listing, from, text, continues)).toBe(expected);
  });

  it("reads only as far as necessary", async () => {
    const listing = await open(Array.from({ length: 50_000 }, (_, at) => (at === 12_345 ? "here" : `${at}.jpg`)));
    expect(await next(listing, 5, "he")).toBe(12_345);
    expect(list.mock.calls.map(([{ offset }]) => offset)).toEqual(Array.from({ length: 13 }, (_, at) => at * 1_000));
  });

  it("stops when another text is typed", async () => {
    const listing = await open(Array.from({ length: 50_000 }, (_, at) => `${at}.jpg`));
    const ending = new AbortController();
    const match = next(listing, 5, "x", false, ending.signal);
    ending.abort();
    expect(await match).toBeNull();
    expect(list.mock.calls.length).toBeLessThan(7);
  });

  it("restarts when the folder has changed", async () => {
    const listing = await open(Array.from({ length: 9_000 }, (_, at) => (at === 8_000 ? "here" : `${at}.jpg`)));
    list.mockImplementation((query) => {
      if (query.offset === 5_000 && reading === "1") {
        reading = "2";
        names = names.toSpliced(0, 10);
      }
      return answer(query);
    });
    expect(await next(listing, 5, "he")).toBe(7_990);
  });

  it("waits while names are still loading", async () => {
    list.mockImplementation(async (query) => ({ ...(await answer(query)), ...(reading === "1" ? { growing: true } : {}) }));
    const listing = await open(["a", "b"]);
    const match = next(listing, 0, "he");
    names = ["a", "b", "here"];
    reading = "2";
    listing.completeNames("1");
    expect(await match).toBe(2);
  });

  it("gives up if the folder never settles", async () => {
    const listing = await open(Array.from({ length: 9_000 }, (_, at) => `${at}.jpg`));
    list.mockImplementation((query) => {
      if (query.listing) reading += "+";
      return answer(query);
    });
    await expect(next(listing, 5, "x")).rejects.toBeInstanceOf(FolderChangedError);
  });
});
