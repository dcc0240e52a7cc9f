// The data of visible pictures is read while the rest of a folder is still being read, and requests end eventually.
import { screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import type { ListingQuery, SavedOrder } from "../query/listing-query";
import { ENTRIES_AT_ONCE, MAX_FRUITLESS_REQUESTS, VisibleMetadata } from "./visible-metadata";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({
  name,
  kind: "picture",
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id: `id-${name}`,
  ...more,
});
const METADATA = { width: 4_000, height: 3_000, embeds: true, rating: 4 };

describe("a folder that is still being read", () => {
  let backend: FakeBackend;

  beforeEach(() => {
    backend = new FakeBackend();
    backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
    backend.entries = ["a.jpg", "b.jpg", "c.jpg"].map((name) => entry(name));
    backend.unread = 8;
  });

  async function open(sort: SavedOrder["sort"] = "name") {
    openPictures({
      place: { root: "R1", path: canonicalPath(""), view: null },
      backend,
      order: { sort, order: "asc" },
    });
    await screen.findAllByTestId("cell");
  }

  const read = (unread: number) => {
    backend.unread = unread;
    backend.emit("folder.read", { root: "R1", path: "", unread });
  };
  const ratings = () => screen.queryAllByTestId("rating").map((one) => one.dataset["rating"]);

  it("shows ratings and placeholders of visible pictures", async () => {
    await open();
    expect(screen.queryByTestId("placeholder")).toBeNull();
    backend.entries = backend.entries.map((one, at) => (at === 2 ? one : { ...one, ...METADATA }));
    read(5);
    await waitFor(() => expect(screen.getAllByTestId("embedded").map((one) => one.getAttribute("src"))).toEqual(["/api/image/embedded?root=R1&path=a.jpg&v=id-a.jpg", "/api/image/embedded?root=R1&path=b.jpg&v=id-b.jpg"]));
    expect(ratings()).toEqual(["4", "4"]);
    const [query] = backend.folders.list.mock.lastCall ?? [];
    expect(query).toMatchObject({ listing: "1", offset: 0, limit: 3, sort: "name" });
  });

  it("is not requested again once known", async () => {
    backend.entries = backend.entries.map((one) => ({ ...one, ...METADATA }));
    await open();
    read(5);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(backend.folders.list).toHaveBeenCalledOnce();
  });

  it("keeps its order until all headers are read", async () => {
    await open("taken");
    backend.entries = backend.entries.map((one) => ({ ...one, ...METADATA }));
    read(5);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(backend.folders.list).toHaveBeenCalledOnce();
    read(0);
    await waitFor(() => expect(ratings()).toHaveLength(3));
  });

  it("keeps the user's own marks", async () => {
    backend.entries = [entry("a.jpg", { rating: 2 }), entry("b.jpg")];
    await open();
    backend.entries = [entry("a.jpg"), entry("b.jpg", METADATA)];
    read(5);
    await waitFor(() => expect(ratings()).toEqual(["2", "4"]));
  });
});

describe("the visible range", () => {
  let entries: FolderEntry[];
  let listing: { query: ListingQuery; unread: number; headerUpdates: number; viewerPicture: null; at: (index: number) => FolderEntry | undefined; refreshRange: (first: number, end: number) => Promise<void> };
  const refreshRange = vi.fn<(first: number, end: number) => Promise<void>>();
  let headers: VisibleMetadata;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    entries = Array.from({ length: 1_000 }, (_, at) => entry(`${at}.jpg`));
    refreshRange.mockReset().mockResolvedValue();
    listing = { query: { sort: "name", order: "asc" }, unread: 1_000, headerUpdates: 0, viewerPicture: null, at: (index) => entries[index], refreshRange };
    headers = new VisibleMetadata(listing);
    return () => {
      headers.dispose();
      vi.useRealTimers();
    };
  });

  const passes = (time: number) => vi.advanceTimersByTimeAsync(time);
  const requests = () => refreshRange.mock.calls;
  function hear(first: number, end: number) {
    listing.headerUpdates += 1;
    headers.setRange(first, end);
  }

  it("is requested once a second after news", async () => {
    headers.setRange(0, 30);
    await passes(2_000);
    expect(requests()).toEqual([]);
    hear(0, 30);
    await passes(10);
    expect(requests()).toEqual([[0, 30]]);
    for (let times = 0; times < 4; times++) {
      hear(0, 30);
      await passes(200);
    }
    expect(requests()).toHaveLength(1);
    await passes(200);
    expect(requests()).toHaveLength(2);
    await passes(5_000);
    expect(requests()).toHaveLength(2);
  });

  it("is requested after scrolling, not during it", async () => {
    headers.setRange(0, 30);
    headers.pause();
    await passes(2_000);
    headers.setRange(500, 530);
    headers.pause();
    await passes(2_000);
    expect(requests()).toEqual([]);
    headers.setRange(600, 630);
    await passes(10);
    expect(requests()).toEqual([[600, 630]]);
  });

  it("is requested in parts from the first unknown", async () => {
    entries = entries.map((one, at) => (at < 20 ? { ...one, ...METADATA } : one));
    hear(0, 900);
    await passes(10);
    expect(requests()).toEqual([[20, 20 + ENTRIES_AT_ONCE]]);
  });

  it("is not requested forever in vain", async () => {
    entries = [entry("a.svg"), entry("b.txt", { kind: "other" }), entry("c.jpg", { state: "undecodable" })];
    for (let times = 0; times < 3 * MAX_FRUITLESS_REQUESTS; times++) {
      hear(0, 3);
      await passes(1_000);
    }
    expect(requests()).toHaveLength(MAX_FRUITLESS_REQUESTS);
    entries = [entry("a.svg", { id: "another" })];
    hear(0, 3);
    await passes(1_000);
    expect(requests()).toHaveLength(MAX_FRUITLESS_REQUESTS + 1);
  });

  it("is requested while something new arrives", async () => {
    for (let times = 1; times <= 3 * MAX_FRUITLESS_REQUESTS; times++) {
      refreshRange.mockImplementationOnce(() => {
        entries = entries.map((one, at) => (at === times ? { ...one, ...METADATA } : one));
        return Promise.resolve();
      });
      hear(0, 60);
      await passes(1_000);
    }
    expect(requests()).toHaveLength(3 * MAX_FRUITLESS_REQUESTS);
  });

  it("is not requested after the folder is read", async () => {
    hear(0, 30);
    await passes(10);
    listing.unread = 0;
    hear(0, 30);
    await passes(5_000);
    expect(requests()).toHaveLength(1);
  });
});
