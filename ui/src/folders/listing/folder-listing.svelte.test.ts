import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import type { ListingQuery } from "../query/listing-query";
import { FolderListing } from "./folder-listing.svelte";

const picture = (name: string): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z" });

let backend: FakeBackend;
let path = $state("2026");
let query = $state.raw<ListingQuery>({ sort: "name", order: "asc" });
let stop = () => {};

beforeEach(() => {
  backend = new FakeBackend();
  backend.entries = [picture("a.jpg"), picture("b.jpg")];
  path = "2026";
  query = { sort: "name", order: "asc" };
});
afterEach(() => stop());

async function open() {
  let listings!: FolderListing;
  const end = $effect.root(() => {
    listings = new FolderListing(backend, { root: () => "R1", path: () => canonicalPath(path), query: () => query, mayBePartial: () => false });
    $effect(() => listings.disposeUnused());
    $effect(() => listings.listen());
  });
  stop = () => {
    listings.dispose();
    end();
  };
  flushSync();
  await vi.waitFor(() => expect(listings.current.state).toBe("ready"));
  return listings;
}

it("another order keeps the listing meanwhile", async () => {
  const listings = await open();
  const before = listings.current;
  const dispose = vi.spyOn(before, "dispose");
  query = { ...query, order: "desc" };
  flushSync();
  expect(listings.current).toBe(before);
  expect(dispose).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(listings.current).toBe(listings.requested));
  flushSync();
  expect(dispose).toHaveBeenCalledOnce();
});

it("another folder replaces the listing at once", async () => {
  const listings = await open();
  path = "2025";
  flushSync();
  expect([listings.current.path, listings.current.state]).toEqual(["2025", "loading"]);
});

it("one watch serves all orders of a folder", async () => {
  await open();
  query = { ...query, order: "desc" };
  flushSync();
  expect(backend.folders.watch).toHaveBeenCalledOnce();
  query = { ...query, group: "folder" };
  flushSync();
  expect(backend.folders.watch).toHaveBeenCalledTimes(2);
});

it("events reach the requested listing", async () => {
  const listings = await open();
  path = "2025";
  flushSync();
  const follow = vi.spyOn(listings.requested, "follow");
  backend.emit("folder.changed", { root: "R1", path: "2026" });
  expect(follow).not.toHaveBeenCalled();
  backend.emit("folder.changed", { root: "R1", path: "2025" });
  expect(follow).toHaveBeenCalledOnce();
});

it("the viewer's header data is read at once", async () => {
  const listings = await open();
  const refreshMetadata = vi.spyOn(listings.current, "refreshMetadata");
  backend.emit("folder.read", { root: "R1", path: "2026", unread: 1 });
  listings.refreshMetadata(false);
  expect(refreshMetadata).not.toHaveBeenCalled();
  listings.refreshMetadata(true);
  expect(refreshMetadata).toHaveBeenCalledOnce();
});

it("the grid's header data is read last", async () => {
  const listings = await open();
  const refreshMetadata = vi.spyOn(listings.current, "refreshMetadata");
  backend.emit("folder.read", { root: "R1", path: "2026", unread: 0 });
  listings.refreshMetadata(false);
  expect(refreshMetadata).toHaveBeenCalledOnce();
});
