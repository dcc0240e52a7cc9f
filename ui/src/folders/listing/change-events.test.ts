// Changes of a folder appear on the screen, and move no visible entry.
import { screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath, type EncodedPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { FolderBranches, type FolderNode } from "../tree/folder-branches.svelte";

let backend: FakeBackend;
let host: StubHost;
const entry = (name: string, id = `id-${name}`): FolderEntry => ({
  name,
  kind: name.includes(".") ? "picture" : "folder",
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id,
});

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = ["b.jpg", "c.jpg", "d.jpg"].map((name) => entry(name));
  host = new StubHost();
});

function open(path = "", view: string | null = null) {
  return openPictures({
    place: { root: "R1", path: canonicalPath(path), view: view === null ? null : canonicalPath(view) },
    backend,
    host,
  });
}

const names = async () => (await screen.findAllByTestId("cell")).map((cell) => cell.dataset["name"]);
const changed = (path: string | null, more: object = {}) =>
  backend.emit("folder.changed", { root: "R1", path, ...more });

describe("a folder on the screen", () => {
  it("is read after its watch and after changes", async () => {
    open("2026");
    expect(await names()).toEqual(["b.jpg", "c.jpg", "d.jpg"]);
    expect(backend.folders.watch.mock.lastCall?.slice(0, 2)).toEqual(["R1", "2026"]);
    const order = [backend.folders.watch, backend.folders.list].map((call) => call.mock.invocationCallOrder[0]);
    expect(order).toEqual(order.toSorted((a = 0, b = 0) => a - b));

    backend.entries = [entry("a.jpg"), ...backend.entries];
    changed("2026/05");
    changed("");
    backend.emit("folder.changed", { root: "R2", path: "2026" });
    expect(backend.folders.list).toHaveBeenCalledOnce();
    changed("2026");
    await waitFor(async () => expect(await names()).toEqual(["a.jpg", "b.jpg", "c.jpg", "d.jpg"]));
    expect(backend.folders.list).toHaveBeenCalledTimes(2);
    expect(host.statusItems.map(({ text }) => text)).toEqual(["4 pictures"]);
  });

  it("is followed by the bytes of its name", async () => {
    open("b%FF/c");
    await names();
    changed("b\u{fffd}/c", { path_bytes: btoa("b\xff/c") });
    await waitFor(() => expect(backend.folders.list).toHaveBeenCalledTimes(2));
  });

  it("keeps the focus on its picture", async () => {
    open();
    await names();
    const focused = () => (document.activeElement as HTMLElement).dataset["name"];
    screen.getAllByTestId("cell")[1]?.focus();
    expect(focused()).toBe("c.jpg");
    backend.entries = ["0.jpg", "1.jpg", ...["b.jpg", "c.jpg", "d.jpg"]].map((name) => entry(name));
    changed("");
    await waitFor(async () => expect(await names()).toHaveLength(5));
    await waitFor(() => expect(focused()).toBe("c.jpg"));
    // The next entry takes its place and the focus.
    backend.entries = ["0.jpg", "1.jpg", "b.jpg", "d.jpg"].map((name) => entry(name));
    changed("");
    await waitFor(() => expect(focused()).toBe("d.jpg"));
  });

  it("shows the new state of a picture", async () => {
    open();
    await names();
    const [first] = backend.entries;
    backend.entries = [entry("b.jpg", "another"), ...backend.entries.slice(1)];
    const before = screen.getAllByTestId("thumb")[0]?.getAttribute("src");
    expect(before).toContain(first?.id);
    changed("");
    await waitFor(() => expect(screen.getAllByTestId("thumb")[0]?.getAttribute("src")).toContain("another"));
  });

  it("reappears by itself", async () => {
    open();
    await names();
    backend.folders.list.mockRejectedValueOnce(new ApiError("folder_unavailable", 404, ""));
    changed("");
    expect((await screen.findByTestId("folder-gone")).textContent).toContain("It reappears here");
    changed("");
    expect(await names()).toHaveLength(3);
  });

  it("is read once for simultaneous changes", async () => {
    open();
    await names();
    const change = () => {
      for (let times = 0; times < 20; times++) changed("");
    };
    let answer: (() => void) | undefined;
    const { list } = backend.folders;
    backend.once("GET /api/folders", async (_, next) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return next();
    });
    change();
    await waitFor(() => expect(answer).toBeDefined());
    expect(list).toHaveBeenCalledTimes(2);
    change();
    answer?.();
    await waitFor(() => expect(list).toHaveBeenCalledTimes(3));
  });

  it("stays when a read fails temporarily", async () => {
    open();
    await names();
    backend.folders.list.mockRejectedValueOnce(new ApiError("unreachable", 0, ""));
    changed("");
    await waitFor(() => expect(backend.folders.list).toHaveBeenCalledTimes(2));
    expect(await names()).toHaveLength(3);
    expect(screen.queryByTestId("error-state")).toBeNull();
    backend.entries = [entry("a.jpg"), ...backend.entries];
    await waitFor(async () => expect(await names()).toHaveLength(4));
  });

  it("reports polling", async () => {
    backend.watching = "polling";
    open();
    await names();
    await waitFor(() => expect(host.statusItems.map(({ text }) => text)).toEqual(["3 pictures", "Checked every few seconds"]));
    expect(host.statusItems[1]?.short).toBe("Changes appear after a few seconds");
  });

  it("is read without a watch if necessary", async () => {
    backend.folders.watch.mockRejectedValue(new ApiError("unreachable", 0, ""));
    open();
    expect(await names()).toHaveLength(3);
  });
});

describe("the viewer", () => {
  it("is shown in its new state", async () => {
    open("", "b.jpg");
    const source = async () => (await screen.findByTestId("viewer-image")).getAttribute("src");
    expect(await source()).toContain("id-b.jpg");
    backend.entries = [entry("b.jpg", "another"), ...backend.entries.slice(1)];
    changed("");
    await waitFor(async () => expect(await source()).toContain("another"));
  });

  it("reports when it is gone", async () => {
    open("", "b.jpg");
    await screen.findByTestId("viewer");
    backend.entries = backend.entries.slice(1);
    changed("");
    expect(await screen.findByTestId("picture-gone")).toBeDefined();
  });
});

describe("the watch", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return () => void vi.useRealTimers();
  });

  it("is renewed, and missed changes are read", async () => {
    const view = open();
    await vi.waitFor(async () => expect(await names()).toHaveLength(3));
    backend.folders.watch.mockResolvedValue({ watching: "events", renewed: true, seconds: 120 });
    await vi.advanceTimersByTimeAsync(81_000);
    expect(backend.folders.watch).toHaveBeenCalledTimes(3);
    expect(backend.folders.list).toHaveBeenCalledOnce();
    // For example after the machine has slept.
    backend.folders.watch.mockResolvedValue({ watching: "events", renewed: false, seconds: 120 });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(backend.folders.list).toHaveBeenCalledTimes(2);
    view.unmount();
    await vi.advanceTimersByTimeAsync(81_000);
    expect(backend.folders.watch).toHaveBeenCalledTimes(4);
  });
});

it("the tree shows new subfolders", async () => {
  const ending = new AbortController();
  const branches = new FolderBranches(backend, ending.signal);
  backend.entries = [entry("2025")];
  branches.toggle("R1", "" as EncodedPath);
  const children = () => branches.childrenOf("R1", "" as EncodedPath);
  const names = () => (children() as FolderNode[]).map(({ name }) => name);
  await vi.waitFor(() => expect(names()).toEqual(["2025"]));
  backend.entries = [entry("2025"), entry("2026"), entry("a.jpg")];
  changed("");
  expect(names()).toEqual(["2025"]);
  await vi.waitFor(() => expect(names()).toEqual(["2025", "2026"]));
  expect(branches.picturesIn("R1", "" as EncodedPath)).toBe(1);
  ending.abort();
  changed("");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(backend.folders.list).toHaveBeenCalledTimes(2);
});
