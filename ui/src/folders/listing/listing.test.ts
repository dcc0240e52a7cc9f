import { describe, expect, it, vi } from "vitest";
import type { Backend, FolderEntry, FolderListing, FolderQuery } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { encodeName, ROOT_PATH } from "../../api/names";
import { Listing } from "./listing.svelte";
import { adjacentPicture } from "./adjacent-picture";

const entry = (index: number): FolderEntry => ({
  name: `${index}.jpg`,
  kind: index < 2 ? "folder" : index % 10 === 9 ? "other" : "picture",
  size: 1,
  mtime: "2026-11-20T00:00:00Z",
});

function folderOf(total: number) {
  const state = { total, listing: "a" };
  const list = vi.fn(({ offset: asked = 0, limit = 50, around }: FolderQuery): Promise<FolderListing> => {
    const place = around ? Number.parseInt(around, 10) : Number.NaN;
    const offset = place < state.total ? Math.floor(place / limit) * limit : asked;
    const count = Math.max(0, Math.min(limit, state.total - offset));
    const entries = Array.from({ length: count }, (_, at) => entry(offset + at));
    const listing = state.listing;
    return Promise.resolve({ root: "R1", path: "", listing, total: state.total, pictures: state.total, unread: 0, offset, entries });
  });
  const backend = { folders: { list } } as unknown as Backend;
  return { state, list, backend, open: () => new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" }) };
}

function deferred() {
  let resolve = () => {};
  return { promise: new Promise<void>((settle) => (resolve = settle)), resolve: () => resolve() };
}

const ready = (listing: Listing) => vi.waitFor(() => expect(listing.state).toBe("ready"));

describe("a listing", () => {
  it("reads each visible chunk once", async () => {
    const { list, open } = folderOf(100_000);
    const listing = open();
    await ready(listing);
    expect(listing.total).toBe(100_000);
    listing.request(49_990, 50_020);
    listing.request(49_990, 50_020);
    await vi.waitFor(() => expect(listing.at(50_000)?.name).toBe("50000.jpg"));
    expect(list.mock.calls.map(([{ offset }]) => offset)).toEqual([0, 49_000, 50_000]);
    expect(listing.at(70_000)).toBeUndefined();
  });

  it("finds a name anywhere", async () => {
    const { open } = folderOf(2_500);
    expect(await open().find(encodeName({ name: "2300.jpg" }))).toBe(2_300);
    expect(await open().find(encodeName({ name: "none.jpg" }))).toBeNull();
  });

  it("skips other entries, across chunks", async () => {
    const listing = folderOf(1_010).open();
    await ready(listing);
    expect(await adjacentPicture(listing, 8, 1)).toBe(10);
    expect(await adjacentPicture(listing, 998, 1)).toBe(1_000);
    expect(await adjacentPicture(listing, 2, -1)).toBeNull();
    // Between two indices, both are neighbours.
    expect([await adjacentPicture(listing, 4.5, 1), await adjacentPicture(listing, 4.5, -1)]).toEqual([5, 4]);
    expect(await adjacentPicture(listing, 1_008, 1)).toBeNull();
  });

  it("drops its entries when the folder has changed", async () => {
    const { state, open } = folderOf(3_000);
    const listing = open();
    await ready(listing);
    state.listing = "b";
    listing.request(2_000, 2_100);
    await vi.waitFor(() => expect(listing.at(2_000)).toBeDefined());
    expect(listing.at(0)).toBeUndefined();
    listing.request(0, 10);
    await vi.waitFor(() => expect(listing.at(0)).toBeDefined());
  });

  it("keeps all chunks of one reading", async () => {
    const { list, open } = folderOf(3_000);
    const listing = open();
    await ready(listing);
    listing.request(1_000, 2_100);
    await vi.waitFor(() => expect(listing.at(2_000)).toBeDefined());
    await listing.follow();
    expect(list.mock.calls.map(([{ offset, listing }]) => [offset, listing])).toEqual([
      [0, null],
      [1_000, "a"],
      [2_000, "a"],
      [1_000, null],
      [2_000, "a"],
    ]);
  });

  it("refreshes metadata without reading the folder", async () => {
    const { list, open } = folderOf(3);
    const listing = open();
    await ready(listing);
    listing.request(0, 3);
    const loaded = { ...entry(2), width: 4_000, height: 3_000 };
    list.mockResolvedValueOnce({ root: "R1", path: "", listing: "a", total: 3, pictures: 1, unread: 0, offset: 0, entries: [entry(0), entry(1), loaded] });
    listing.isStale = true;
    await listing.refreshMetadata();
    expect(list.mock.lastCall?.[0].listing).toBe("a");
    expect(listing.at(2)?.width).toBe(4_000);
    // If the folder was read again since, all of it is requested again.
    list.mockResolvedValueOnce({ root: "R1", path: "", listing: "b", total: 9, pictures: 9, unread: 0, offset: 0, entries: [] });
    listing.isStale = true;
    await listing.refreshMetadata();
    expect(list.mock.lastCall?.[0].listing).toBeNull();
    expect(listing.total).toBe(3);
  });

  it("refreshes a range and leaves the rest", async () => {
    const { list, open } = folderOf(2_500);
    const listing = open();
    await ready(listing);
    listing.request(900, 1_100);
    await vi.waitFor(() => expect(listing.at(1_000)).toBeDefined());
    const before = listing.at(1_002);
    const loaded = [999, 1_000].map((at) => ({ ...entry(at), width: 4_000 }));
    list.mockResolvedValueOnce({ root: "R1", path: "", listing: "a", total: 2_500, pictures: 2_500, unread: 9, offset: 998, entries: [entry(998), ...loaded, entry(1_001), entry(1_002)] });
    await listing.refreshRange(998, 1_003);
    expect(list.mock.lastCall?.[0]).toMatchObject({ listing: "a", offset: 998, limit: 5 });
    expect([998, 999, 1_000, 1_001].map((at) => listing.at(at)?.width)).toEqual([undefined, 4_000, 4_000, undefined]);
    expect(listing.at(1_002)).toBe(before);
    const requests = list.mock.calls.length;
    // The server has dropped that reading: only a new read of the folder provides the data.
    list.mockResolvedValueOnce({ root: "R1", path: "", listing: "b", total: 9, pictures: 9, unread: 0, offset: 0, entries: [] });
    await listing.refreshRange(998, 1_003);
    expect(list.mock.calls[requests + 1]?.[0].listing).toBeNull();
  });

  it("ignores metadata older than a user's mark", async () => {
    const { list, open } = folderOf(3);
    const listing = open();
    await ready(listing);
    let answer = () => {};
    list.mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { root: "R1", path: "", listing: "a", total: 3, pictures: 1, unread: 1, offset: 0, entries: [entry(0), entry(1), { ...entry(2), rating: 1 }] };
    });
    const learned = listing.refreshRange(0, 3);
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    listing.marked(new Map([[encodeName(entry(2)), { rating: 5, tags: [] }]]));
    answer();
    await learned;
    expect(listing.at(2)?.rating).toBe(5);
  });

  it("keeps a user's mark over a late answer", async () => {
    const { list, open } = folderOf(3);
    const listing = open();
    await ready(listing);
    const { promise, resolve } = deferred();
    list.mockImplementationOnce(async () => {
      await promise;
      return { root: "R1", path: "", listing: "b", total: 3, pictures: 1, unread: 0, offset: 0, entries: [entry(0), entry(1), { ...entry(2), rating: 3 }] };
    });
    const followed = listing.follow();
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    listing.marked(new Map([[encodeName(entry(2)), { rating: 5, tags: [] }]]));
    resolve();
    await followed;
    expect([listing.reading, listing.at(2)?.rating]).toEqual(["b", 5]);
    // Later, the data of the folder counts.
    await listing.follow();
    expect(listing.at(2)?.rating).toBeUndefined();
  });

  it("settles when its chunks come from different scans", async () => {
    const { state, list, open } = folderOf(3_000);
    const listing = open();
    await ready(listing);
    // The server has dropped the first reading; each of two concurrent requests starts another.
    const answer = list.getMockImplementation();
    let readings = 0;
    list.mockImplementation((query) => {
      if (query.listing === "a") state.listing = `new ${(readings += 1)}`;
      else if (query.listing) state.listing = query.listing;
      return answer?.(query) as Promise<FolderListing>;
    });
    listing.request(1_000, 2_100);
    await vi.waitFor(() => expect(listing.at(1_500) && listing.at(2_050)).toBeDefined());
    const requests = list.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(list.mock.calls.length).toBe(requests);
    expect(requests).toBeLessThan(8);
  });

  it("reports an error and retries on request", async () => {
    const { list, open } = folderOf(3);
    const error = new ApiError("folder_unavailable", 404, "");
    list.mockRejectedValueOnce(error);
    const listing = open();
    await vi.waitFor(() => expect(listing.state).toBe("failed"));
    expect(listing.error).toBe(error);
    await listing.refresh();
    expect(listing.state).toBe("ready");
    expect(listing.total).toBe(3);
  });

  /** Returns a listing that grows as "a" and is complete as "b". */
  async function growing(total: number) {
    const folder = folderOf(total);
    const { state, list, backend } = folder;
    const answer = list.getMockImplementation()!;
    list.mockImplementation(async (query) => ({ ...(await answer(query)), ...(state.listing === "a" ? { growing: true } : {}) }));
    const listing = new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" }, Promise.resolve(), null, true);
    await ready(listing);
    const release = vi.fn(() => Promise.resolve());
    listing.hold = () => ({ anchor: null, release });
    const asked = () => list.mock.calls.map(([{ offset, listing }]) => [offset, listing]);
    return { ...folder, listing, release, asked };
  }

  it("completes at once after a chunk of it", async () => {
    const { state, list, listing, release, asked } = await growing(2_500);
    await listing.follow();
    [state.total, state.listing] = [3_500, "b"];
    list.mockClear();
    release.mockClear();
    listing.request(2_000, 2_100);
    await vi.waitFor(() => expect([listing.total, listing.progress.isPartial]).toEqual([3_500, false]));
    await vi.waitFor(() => expect(asked()).toEqual([[2_000, "a"], [2_000, "a"], [2_000, null]]));
    expect(release).toHaveBeenCalled();
    // The end is notified later.
    listing.completeNames("a");
    expect(list).toHaveBeenCalledTimes(3);
  });

  it("completes at once after a search in it", async () => {
    const { state, listing, release } = await growing(10);
    await listing.follow();
    [state.total, state.listing] = [2_500, "b"];
    release.mockClear();
    expect(await listing.locate(encodeName({ name: "2300.jpg" }), new AbortController().signal)).toBe(2_300);
    // Once for all names, and once for the change meanwhile.
    expect(release).toHaveBeenCalledTimes(2);
    expect(listing.progress.isPartial).toBe(false);
  });

  it("is empty only once all names are there", async () => {
    const { state, listing } = await growing(0);
    expect([listing.total, listing.isEmpty]).toEqual([0, false]);
    state.listing = "b";
    listing.completeNames("a");
    await vi.waitFor(() => expect(listing.isEmpty).toBe(true));
  });

  it("starts partial and becomes complete", async () => {
    const { state, list, backend } = folderOf(10);
    const grow = (name: string) => ({ growing: name === "a" ? true : undefined, listing: name });
    const answer = list.getMockImplementation()!;
    list.mockImplementation(async (query) => ({ ...(await answer(query)), ...grow(state.listing) }));
    const listing = new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" }, Promise.resolve(), null, true);
    await ready(listing);
    expect([listing.progress.isPartial, listing.isWhole, list.mock.lastCall?.[0].may_grow]).toEqual([true, false, true]);
    // The end of another listing.
    listing.completeNames("z");
    // The current reading may miss a change during it.
    await listing.follow();
    expect(list.mock.lastCall?.[0]).toMatchObject({ listing: "a" });
    [state.total, state.listing] = [2_500, "b"];
    list.mockClear();
    listing.completeNames("a");
    await vi.waitFor(() => expect([listing.total, listing.progress.isPartial]).toEqual([2_500, false]));
    await vi.waitFor(() => expect(list.mock.calls.map(([query]) => query.listing)).toEqual(["a", null]));
    expect(list.mock.calls.every(([query]) => query.may_grow === undefined)).toBe(true);
  });

  it("accepts completion before its answer", async () => {
    const { state, list, backend } = folderOf(10);
    const answer = list.getMockImplementation()!;
    let listing: Listing | null = null;
    list.mockImplementationOnce(async (query) => {
      const answered = { ...(await answer(query)), growing: true };
      [state.total, state.listing] = [20, "b"];
      listing?.completeNames("a");
      return answered;
    });
    listing = new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" }, Promise.resolve(), null, true);
    await vi.waitFor(() => expect([listing?.total, listing?.progress.isPartial]).toEqual([20, false]));
  });
});
