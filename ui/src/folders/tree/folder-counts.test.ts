// The counts in the tree: only of visible folders, a few at a time, once each, and again if they may have changed.
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry, FolderListing, FolderQuery } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { folderPart } from "../../testing/folder-part";
import { FolderTree } from "..";
import { BranchWatches } from "./branch-watches";
import { FolderCounts } from "./folder-counts";
import { Roots } from "../roots/roots.svelte";

const PAUSE = 600;

describe("counts", () => {
  let ending: AbortController;
  let counts: FolderCounts;
  const list = vi.fn<(query: FolderQuery, signal?: AbortSignal) => Promise<FolderListing>>();
  let answers: ((pictures: number | Error) => void)[];
  const requests = () => list.mock.calls.map(([{ path }]) => path);
  const pass = (time = PAUSE) => vi.advanceTimersByTimeAsync(time);
  const answer = async (pictures: number | Error) => {
    answers.shift()?.(pictures);
    await pass(0);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    ending = new AbortController();
    answers = [];
    list.mockReset().mockImplementation(
      ({ root, path }) =>
        new Promise((resolve, reject) => {
          answers.push((told) => {
            if (typeof told !== "number") reject(told);
            else resolve({ root, path, listing: "1", total: 1, pictures: told, unread: 0, offset: 0, entries: [] });
          });
        }),
    );
    counts = new FolderCounts({ list }, ending.signal);
  });
  afterEach(() => void vi.useRealTimers());

  it("are requested two at a time, by importance", async () => {
    counts.see(["R1/", "R1/a", "R1/b"]);
    expect(list).not.toHaveBeenCalled();
    await pass();
    expect(list.mock.calls.map(([query]) => query)).toEqual([
      { root: "R1", path: "", kind: "folder", limit: 1 },
      { root: "R1", path: "a", kind: "folder", limit: 1 },
    ]);
    await answer(7);
    expect(counts.of("R1/")).toEqual({ pictures: 7, folders: 1 });
    expect(requests()).toEqual(["", "a", "b"]);
    await answer(8);
    await answer(9);
    counts.see(["R1/a", "R1/b"]);
    await pass();
    expect(list).toHaveBeenCalledTimes(3);
  });

  it("of hidden folders are cancelled", async () => {
    counts.see(["R1/a"]);
    await pass(PAUSE / 2);
    counts.see(["R1/b", "R1/c", "R1/d"]);
    await pass();
    expect(requests()).toEqual(["b", "c"]);
    counts.see(["R1/c", "R1/d"]);
    expect(list.mock.calls.map(([, signal]) => signal?.aborted)).toEqual([true, false]);
    await pass();
    expect(requests()).toEqual(["b", "c", "d"]);
    await answer(5);
    expect(counts.of("R1/b")).toBeUndefined();
  });

  it("that may be outdated are repeated", async () => {
    counts.see(["R1/a"]);
    await pass();
    await answer(1);
    counts.markStale("R1/a");
    counts.markStale("R1/elsewhere");
    expect(counts.of("R1/a")?.pictures).toBe(1);
    await pass();
    expect(requests()).toEqual(["a", "a"]);
    // A count that a read reports meanwhile is newer.
    counts.put("R1/a", { pictures: 3, folders: 0 });
    await answer(2);
    expect(counts.of("R1/a")).toEqual({ pictures: 3, folders: 0 });
    counts.markAllStale();
    await pass();
    expect(requests()).toEqual(["a", "a", "a"]);
  });

  it("are requested during constant changes", async () => {
    counts.see(["R1/busy", "R1/a"]);
    for (let told = 0; told < 4; told++) {
      counts.markStale("R1/busy");
      await pass(PAUSE - 100);
    }
    expect(requests()).toContain("a");
    // Folders that keep coming into view do not postpone the count.
    list.mockClear();
    for (const id of ["R1/b", "R1/c", "R1/d"]) {
      counts.see([id]);
      counts.markStale("R1/busy");
      await pass(PAUSE - 100);
    }
    expect(list).not.toHaveBeenCalled();
  });

  it("become outdated after a while", async () => {
    expect(counts.isOld("R1/a")).toBe(false);
    counts.put("R1/a", { pictures: 3, folders: 0 });
    expect(counts.isOld("R1/a")).toBe(false);
    await pass(11_000);
    expect(counts.isOld("R1/a")).toBe(true);
  });

  it("that failed wait for the next view", async () => {
    counts.see(["R1/a"]);
    await pass();
    await answer(new ApiError("folder_unavailable", 404, ""));
    counts.see(["R1/a", "R1/b"]);
    await pass();
    expect(requests()).toEqual(["a", "b"]);
    counts.see([]);
    counts.see(["R1/a"]);
    await pass();
    expect(requests()).toEqual(["a", "b", "a"]);
  });

  it("are not requested after the tree is gone", async () => {
    counts.see(["R1/a", "R1/b", "R1/c"]);
    await pass();
    ending.abort();
    expect(list.mock.calls.map(([, signal]) => signal?.aborted)).toEqual([true, true]);
    await answer(1);
    counts.markAllStale();
    await pass();
    expect(list).toHaveBeenCalledTimes(2);
  });
});

describe("the tree", () => {
  let backend: FakeBackend;
  let folders: Record<string, FolderEntry[]>;
  const entry = (name: string): FolderEntry => ({
    name,
    kind: name.includes(".") ? "picture" : "folder",
    size: 1,
    mtime: "2026-11-20T00:00:00Z",
  });
  const row = (name: string) => screen.findByRole("treeitem", { name: new RegExp(`^${name}`) });
  const words = async (name: string) => (await row(name)).textContent.replaceAll(/\s+/g, " ").trim();
  const openTree = (path = "") =>
    render(FolderTree, { backend, roots: new Roots(backend), place: { root: "R1", path: canonicalPath(path), view: null }, host: new StubHost(), onadd: vi.fn(), targets: { recent: [], favourites: [] }, ontargets: vi.fn(), onjob: vi.fn() });
  const watched = () => backend.folders.watch.mock.calls.map(([, path]) => path);

  beforeEach(() => {
    backend = new FakeBackend();
    backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
    folders = { "": [entry("2025"), entry("2026"), entry("a.jpg")], "2025": [entry("b.jpg"), entry("c.jpg")], "2026": [entry("05")], "2026/05": [] };
    backend.on("GET /api/folders", ({ query }) => {
      const { root = "", path = "" } = query;
      return { root, path, listing: "1", unread: 0, offset: 0, ...folderPart(folders[path] ?? [], query) };
    });
  });

  it("shows counts and leaves without a toggle", async () => {
    openTree("2025");
    await waitFor(async () => expect(await words("2025")).toBe("2025 2"));
    expect(await words("Photos")).toBe("Photos 1");
    expect(await words("2026")).toBe("2026");
    expect((await row("2025")).getAttribute("aria-expanded")).toBeNull();
    await waitFor(() => expect(backend.folders.list).toHaveBeenCalledTimes(3));
    expect((await row("2026")).getAttribute("aria-expanded")).toBe("false");
  });

  it("counts changed folders again", async () => {
    openTree("2025");
    await waitFor(async () => expect(await words("2025")).toBe("2025 2"));
    folders["2025"] = [entry("b.jpg"), entry("new")];
    backend.emit("folder.changed", { root: "R1", path: "2025" });
    await waitFor(async () => expect(await words("2025")).toBe("2025 1"));
    expect((await row("2025")).getAttribute("aria-expanded")).toBe("false");
  });

  it("reads expanded folders that were unwatched", async () => {
    openTree("2025");
    await row("2026");
    (await row("2025")).focus();
    await userEvent.keyboard("{ArrowDown}{ArrowRight}");
    expect(await row("05")).toBeDefined();
    expect(watched()).toEqual(["", "2026"]);
    folders["2026"] = [entry("05"), entry("06")];
    backend.emit("folder.changed", { root: "R1", path: "2026" });
    expect(await row("06")).toBeDefined();
    await userEvent.keyboard("{ArrowLeft}");
    folders["2026"] = [entry("07")];
    await userEvent.keyboard("{ArrowRight}");
    expect(await row("07")).toBeDefined();
    expect(watched()).toEqual(["", "2026", "2026"]);
  });
});

describe("watches", () => {
  it("are limited to the last used folders", async () => {
    const backend = new FakeBackend();
    const ending = new AbortController();
    const watches = new BranchWatches(backend, vi.fn(), ending.signal);
    const endedWatches = () => backend.folders.watch.mock.calls.flatMap(([, path, options]) => (options?.signal?.aborted ? [path] : []));
    const ids = Array.from({ length: 24 }, (_, at) => `R1/f${at}`);
    expect(ids.map((id) => watches.use(id)).every(Boolean)).toBe(true);
    expect(watches.use("R1/f0")).toBe(false);
    expect(endedWatches()).toEqual([]);
    expect(watches.use("R1/more")).toBe(true);
    expect(endedWatches()).toEqual(["f1"]);
    watches.end("R1/f5");
    expect(endedWatches()).toEqual(["f1", "f5"]);
    await watches.ready("R1/f5");
    ending.abort();
    expect(endedWatches()).toHaveLength(25);
  });
});
