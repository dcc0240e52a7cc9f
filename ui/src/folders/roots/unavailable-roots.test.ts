// Folders on removed disks become available as soon as the disks return.
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { openPictures } from "../../testing/pictures-view";
import { fail } from "../../testing/server";
import { FolderTree } from "..";
import type { FolderPlace } from "../query/address";
import { UnavailableRoots } from "./unavailable-roots";
import { Roots } from "./roots.svelte";

let backend: FakeBackend;
let roots: Roots;

const at = (root: string | null, path = ""): FolderPlace => ({ root, path: canonicalPath(path), view: null });
const photos = (available: boolean) => ({ id: "R1", name: "Photos", path: "/photos", available });

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [photos(false), { id: "R2", name: "Scans", path: "/scans", available: true }];
  backend.entries = [{ name: "2026", kind: "folder", size: 0, mtime: "2026-11-20T00:00:00Z" }];
  roots = new Roots(backend);
});

function open(place: FolderPlace) {
  return openPictures({ place, backend, roots });
}

/** Makes the first disk available again. */
function comeBack() {
  backend.rootsNow = [photos(true), ...backend.rootsNow.slice(1)];
  backend.emit("folder.changed", { root: "R1", path: "" });
}

describe("the list of folders", () => {
  const areUnavailable = async () => (await screen.findAllByTestId("root")).map((row) => row.textContent.includes("unavailable"));

  it("watches only unavailable roots until they return", async () => {
    open(at(null));
    expect(await areUnavailable()).toEqual([true, false]);
    await waitFor(() => expect(backend.folders.watch.mock.calls.map((call) => call.slice(0, 2))).toEqual([["R1", ""]]));
    comeBack();
    await waitFor(async () => expect(await areUnavailable()).toEqual([false, false]));
  });

  it("is read again when the view opens", async () => {
    open(at(null)).unmount();
    await waitFor(() => expect(roots.items).toHaveLength(2));
    backend.rootsNow = [photos(true)];
    open(at(null));
    await waitFor(async () => expect(await areUnavailable()).toEqual([false]));
  });

  it("reads once more after the watch starts", async () => {
    backend.once("PUT /api/folders/watch", (_, next) => {
      backend.rootsNow = [photos(true)];
      return next();
    });
    open(at(null));
    await waitFor(async () => expect(await areUnavailable()).toEqual([false]));
  });
});

describe("the watch", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return () => void vi.useRealTimers();
  });

  it("ends with the root's return or the view", async () => {
    const waiting = new UnavailableRoots(backend, vi.fn());
    const watches = () => backend.folders.watch.mock.calls.length;
    waiting.follow([photos(false)]);
    waiting.follow([photos(false)]);
    await vi.advanceTimersByTimeAsync(41_000);
    expect(watches()).toBe(2);
    waiting.follow([photos(true)]);
    await vi.advanceTimersByTimeAsync(81_000);
    expect(watches()).toBe(2);
    waiting.follow([photos(false)]);
    waiting.dispose();
    await vi.advanceTimersByTimeAsync(81_000);
    expect(watches()).toBe(3);
  });
});

describe("an opened folder", () => {
  beforeEach(() => void backend.on("PUT /api/folders/watch", () => fail("unreachable")));

  it("marks its root available after a read", async () => {
    await roots.read();
    backend.once("GET /api/folders", async (_, next) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      backend.rootsNow = [photos(true)];
      return next();
    });
    open(at("R1"));
    await screen.findAllByTestId("cell");
    await waitFor(() => expect(roots.byId("R1")?.available).toBe(true));
  });

  it("reads the roots after a failure", async () => {
    await roots.read();
    backend.on("GET /api/folders", () => {
      backend.rootsNow = [photos(false), { id: "R2", name: "Scans", path: "/scans", available: false }];
      return fail("folder_unavailable");
    });
    open(at("R2"));
    await screen.findByTestId("folder-gone");
    await waitFor(() => expect(roots.byId("R2")?.available).toBe(false));
  });
});

describe("the tree", () => {
  const row = (name: string) => screen.findByRole("treeitem", { name: new RegExp(`^${name}`) });
  const openTree = (place: FolderPlace) => render(FolderTree, { backend, roots, place, host: new StubHost(), onadd: vi.fn(), targets: { recent: [], favourites: [] }, ontargets: vi.fn(), onjob: vi.fn() });

  it("opens a folder that is there again", async () => {
    openTree(at(null));
    const photosRow = await row("Photos");
    expect(photosRow.getAttribute("aria-expanded")).toBeNull();
    expect(photosRow.textContent).toContain("unavailable");
    comeBack();
    await waitFor(async () => expect((await row("Photos")).getAttribute("aria-expanded")).toBe("false"));
    expect((await row("Photos")).textContent).not.toContain("unavailable");
    (await row("Photos")).focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(await row("2026")).toBeDefined();
  });

  it("reveals the folder once its root returns", async () => {
    backend.folders.list.mockRejectedValueOnce(new ApiError("folder_unavailable", 404, ""));
    openTree(at("R1", "2026"));
    await waitFor(() => expect(backend.folders.list).toHaveBeenCalledOnce());
    expect((await row("Photos")).getAttribute("aria-expanded")).toBeNull();
    backend.rootsNow = [photos(true)];
    await roots.read();
    expect((await row("2026")).getAttribute("aria-current")).toBe("page");
  });
});
