import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry, Root } from "../api/backend";
import { canonicalPath, encodeName, ROOT_PATH } from "../api/names";
import { FakeBackend } from "../testing/fake-backend";
import { placeOf } from "../testing/pictures-view";
import { StubHost } from "../testing/stub-host";
import { FolderState, type FolderStateProps } from "./folder-state.svelte";
import { NO_FILTER } from "./query/filter";
import { sessionMemory } from "./session/session-memory";

const picture = (name: string): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const photos: Root = { id: "R1", name: "Photos", path: "/photos", available: true };

let backend: FakeBackend;
let host: StubHost;
let renew: ReturnType<typeof vi.fn<() => void>>;
let leave: ReturnType<typeof vi.fn<() => void>>;
let visit: ReturnType<typeof vi.fn<FolderStateProps["onshown"]>>;
let focusGrid: ReturnType<typeof vi.fn<(index?: number) => void>>;
let stop = () => {};

beforeEach(() => {
  backend = new FakeBackend();
  backend.entries = [picture("a.jpg"), picture("b.jpg"), picture("c.jpg")];
  host = new StubHost();
  renew = vi.fn();
  leave = vi.fn();
  visit = vi.fn<FolderStateProps["onshown"]>(() => leave);
  focusGrid = vi.fn();
  sessionMemory.isFilterBarShown = sessionMemory.isInfoShown = false;
});
afterEach(() => stop());

/** Opens an address, without a component; `go` changes the address, as the frame does. */
async function open(address: string) {
  const props: FolderStateProps = $state({
    root: photos,
    place: placeOf(address),
    backend,
    host,
    roots: { renew },
    order: { sort: "name", order: "asc" },
    isJoined: false,
    grouping: "none",
    ongrouping: () => {},
    onshown: visit,
    onjob: () => {},
    ondescribe: () => Promise.resolve(),
  });
  let state!: FolderState;
  const end = $effect.root(() => {
    state = new FolderState(props, focusGrid);
    state.connect();
  });
  stop = () => {
    state.dispose();
    end();
  };
  flushSync();
  await vi.waitFor(() => expect(state.listing.state).toBe("ready"));
  const go = (to: string) => {
    props.place = placeOf(to);
    flushSync();
  };
  host.navigate = (url) => {
    host.visited.push(url);
    go(url);
    return Promise.resolve(true);
  };
  return { state, props, go };
}

const requests = () => backend.folders.list.mock.calls.length;
const showsName = (state: FolderState, name: string) => vi.waitFor(() => expect(state.viewer.position?.entry.name).toBe(name));
const select = (state: FolderState, ...indices: number[]) => indices.forEach((index) => state.selection.toggle(index));

describe("another address", () => {
  it("with the same query keeps the listing", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    const [before, count] = [state.listing, requests()];
    go("/pictures/R1/2026?view=b.jpg");
    await showsName(state, "b.jpg");
    expect(state.listing).toBe(before);
    expect(requests()).toBe(count);
  });

  it("with another filter keeps the results meanwhile", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    const before = state.listing;
    go("/pictures/R1/2026?filter=b");
    expect(state.listing).toBe(before);
    expect(state.listings.requested).not.toBe(before);
    await vi.waitFor(() => expect(state.listing.total).toBe(1));
  });

  it("of another folder shows that at once", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    go("/pictures/R1/2025");
    expect(state.listing.path).toBe("2025");
    expect(state.folderName).toBe("2025");
  });

  it("of another folder closes dialogs and the comparison", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    select(state, 0, 1);
    await state.files.openRenameDialog();
    await state.marks.openDialog();
    await state.startComparison();
    expect([state.files.dialog, state.marks.dialog, state.isComparing].every(Boolean)).toBe(true);
    go("/pictures/R1/2025");
    expect([state.files.dialog, state.marks.dialog, state.isComparing].some(Boolean)).toBe(false);
  });

  it("of the same folder leaves dialogs open", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    select(state, 0);
    await state.files.openRenameDialog();
    go("/pictures/R1/2026?filter=a");
    expect(state.files.dialog).not.toBeNull();
  });
});

describe("a visit", () => {
  it("is recorded once for all orders and filters", async () => {
    const { state, props, go } = await open("/pictures/R1/2026");
    flushSync();
    props.order = { sort: "taken", order: "desc" };
    flushSync();
    go("/pictures/R1/2026?filter=b");
    await vi.waitFor(() => expect(state.listing.total).toBe(1));
    expect(visit.mock.calls).toEqual([[{ root: "R1", path: "2026" }]]);
    expect(leave).not.toHaveBeenCalled();
  });

  it("ends when another folder is opened", async () => {
    const { go } = await open("/pictures/R1/2026");
    flushSync();
    go("/pictures/R1/2025");
    expect(leave).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(visit).toHaveBeenLastCalledWith({ root: "R1", path: "2025" }));
  });

  it("that fails reads the roots again", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    backend.fault = "folder_unavailable";
    go("/pictures/R1/2025");
    await vi.waitFor(() => expect(state.listing.state).toBe("failed"));
    flushSync();
    expect(renew).toHaveBeenCalledOnce();
    expect(visit).toHaveBeenCalledOnce();
  });

  it("of an unavailable root reads the roots", async () => {
    const { props } = await open("/pictures/R1/2026");
    props.root = { ...photos, available: false };
    flushSync();
    expect(renew).toHaveBeenCalledOnce();
  });
});

describe("the viewer", () => {
  it("closes by history after opening from the grid", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    const back = vi.spyOn(host, "goBack").mockReturnValue(true);
    go("/pictures/R1/2026?view=b.jpg");
    await state.closeViewer();
    expect(back).toHaveBeenCalledOnce();
    expect(host.visited).toEqual([]);
  });

  it("replaces the address of a directly opened picture", async () => {
    const { state } = await open("/pictures/R1/2026?view=b.jpg");
    await state.closeViewer();
    expect(host.visited).toEqual(["/pictures/R1/2026"]);
  });

  it("returns the focus to the last picture", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    select(state, 0);
    go("/pictures/R1/2026?view=b.jpg");
    await showsName(state, "b.jpg");
    state.step(1);
    await showsName(state, "c.jpg");
    go("/pictures/R1/2026");
    expect(focusGrid.mock.calls).toEqual([[2]]);
    expect((await state.targets()).map(({ name }) => name)).toEqual(["c.jpg"]);
  });

  it("keeps a selection of several when it closes", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    select(state, 0, 1);
    go("/pictures/R1/2026?view=c.jpg");
    await showsName(state, "c.jpg");
    go("/pictures/R1/2026");
    expect((await state.targets()).map(({ name }) => name)).toEqual(["a.jpg", "b.jpg"]);
  });

  it("shows the information in every folder once toggled", async () => {
    const { state } = await open("/pictures/R1/2026?view=b.jpg");
    state.viewer.toggleInfo();
    expect([state.viewer.isInfoShown, sessionMemory.isInfoShown]).toEqual([true, true]);
  });

  it("reports a missing picture", async () => {
    const { state } = await open("/pictures/R1/2026?view=z.jpg");
    await vi.waitFor(() => expect(state.viewer.isMissing).toBe(true));
    expect(state.title).toBe("2026");
  });
});

describe("the targets", () => {
  it("depend on selection, viewer and comparison", async () => {
    const { state, go } = await open("/pictures/R1/2026");
    const names = async () => (await state.targets()).map(({ name }) => name);
    select(state, 0, 1);
    expect(await names()).toEqual(["a.jpg", "b.jpg"]);
    await state.startComparison();
    state.comparison.at = 1;
    expect(await names()).toEqual(["b.jpg"]);
    go("/pictures/R1/2026?view=c.jpg");
    await showsName(state, "c.jpg");
    expect(await names()).toEqual(["c.jpg"]);
  });
});

describe("the trash", () => {
  it("takes a compared picture out of the comparison", async () => {
    const { state } = await open("/pictures/R1/2026");
    select(state, 0, 1, 2);
    await state.startComparison();
    await state.moveToTrash();
    expect(state.comparison.entries.map(({ name }) => name)).toEqual(["b.jpg", "c.jpg"]);
    await state.moveToTrash();
    expect(state.isComparing).toBe(false);
    expect(focusGrid.mock.calls).toEqual([[]]);
  });

  it("does not navigate after leaving", async () => {
    const { state, go } = await open("/pictures/R1/2026?view=b.jpg");
    await showsName(state, "b.jpg");
    const moving = state.moveToTrash();
    go("/pictures/R1/2026?view=c.jpg");
    await moving;
    expect(host.visited).toEqual([]);
    await showsName(state, "c.jpg");
    const movingAgain = state.moveToTrash();
    stop();
    await movingAgain;
    expect(host.visited).toEqual([]);
  });
});

describe("a rename", () => {
  it("is followed by the viewer and the filter", async () => {
    const { state, go } = await open("/pictures/R1/2026?filter=b");
    select(state, 0);
    go("/pictures/R1/2026?view=b.jpg&filter=b");
    await showsName(state, "b.jpg");
    await state.files.rename(state.folder, [{ from: picture("b.jpg"), to: "x.jpg" }]);
    // The filter excludes the new name, and is removed.
    expect(host.visited).toEqual(["/pictures/R1/2026?view=x.jpg"]);
  });

  it("changes nothing after leaving the folder", async () => {
    const { state, go } = await open("/pictures/R1/2026?view=b.jpg");
    const folder = state.folder;
    go("/pictures/R1/2025?view=b.jpg");
    await state.files.rename(folder, [{ from: picture("b.jpg"), to: "x.jpg" }]);
    expect(host.visited).toEqual([]);
  });
});

it("a rating is shown everywhere at once", async () => {
  const { state } = await open("/pictures/R1/2026");
  select(state, 0, 1);
  await state.startComparison();
  await state.marks.rate(4);
  flushSync();
  expect(state.listing.at(0)?.rating).toBe(4);
  expect(state.selection.now.get(encodeName(picture("a.jpg")))?.rating).toBe(4);
  expect(state.comparison.current?.rating).toBe(4);
  expect(state.statusItems.map(({ id }) => id)).toContain("marked");
});

it("a grouping by folder stays in the address", async () => {
  const { state, props } = await open("/pictures/R1/2026");
  const chosen = vi.fn<FolderStateProps["ongrouping"]>();
  props.ongrouping = chosen;
  await state.setGroup("folder");
  expect([state.group, state.listings.isRecursive]).toEqual(["folder", true]);
  await state.setGroup("month");
  expect(chosen.mock.calls).toEqual([["month"]]);
});

it("a filter is applied in the viewer, too", async () => {
  const { state } = await open("/pictures/R1?view=b.jpg");
  await state.setFilter({ ...NO_FILTER, text: "b" });
  expect([state.filter.text, state.view, state.path]).toEqual(["b", "b.jpg", ROOT_PATH]);
});

it("Escape clears only a selection in the grid", async () => {
  const { state, go } = await open("/pictures/R1/2026");
  expect(state.canDeselect).toBe(false);
  select(state, 0, 1);
  expect(state.canDeselect).toBe(true);
  await state.startComparison();
  expect(state.canDeselect).toBe(false);
  state.endComparison();
  go("/pictures/R1/2026?view=a.jpg");
  expect(state.canDeselect).toBe(false);
});

it("a remembered position waits for all names", async () => {
  const place = { root: "R1", path: canonicalPath("far"), query: { sort: "name", order: "asc" } as const };
  sessionMemory.saveFocus(place, 2);
  const { state, go } = await open("/pictures/R1/2026");
  expect(state.listing.progress.mayBePartial).toBe(true);
  go("/pictures/R1/far");
  expect(state.listings.requested.progress.mayBePartial).toBe(false);
});

it("changes are read unless the user makes them", async () => {
  const { state } = await open("/pictures/R1/2026");
  const count = requests();
  await state.listings.gate.hold(async () => {
    backend.emit("folder.changed", { root: "R1", path: "2026" });
    await Promise.resolve();
    expect(requests()).toBe(count);
  });
  await vi.waitFor(() => expect(requests()).toBe(count + 1));
});

it("reads nothing after leaving", async () => {
  const { state } = await open("/pictures/R1/2026");
  const count = requests();
  state.dispose();
  state.listings.gate.notify();
  await Promise.resolve();
  expect(requests()).toBe(count);
});

/** The pictures before and after the one in the viewer. */
const beside = ({ neighbours: { before, after } }: FolderState) => [before, after].map((one) => one && `${one.folder.root}/${one.folder.path}/${encodeName(one.entry)}`).map((id) => id ?? undefined);

describe("a picture opened from search results", () => {
  const found = (path: string, root = "R1") => ({ kind: "picture" as const, root, root_path: path, title: { text: path, highlights: [] }, path: { text: path, highlights: [] }, snippets: [], score: 1 });

  it("goes through the results, whatever their folders", async () => {
    backend.finds.picture.mockResolvedValue({ items: [found("2025/x.jpg", "R2"), found("2026/b.jpg"), found("2026/a.jpg")], total: 3, anchor: null, partial: null });
    const { state } = await open("/pictures/R1/2026?view=b.jpg&found=sea+shore");
    await showsName(state, "b.jpg");
    await vi.waitFor(() => expect(state.pictureNumber).toBe("Result 2 of 3"));
    expect(backend.finds.picture.mock.lastCall?.[0]).toBe("sea shore");
    expect(beside(state)).toEqual(["R2/2025/x.jpg", "R1/2026/a.jpg"]);
    state.step(1);
    await showsName(state, "a.jpg");
    expect(beside(state)).toEqual(["R1/2026/b.jpg", undefined]);
    state.step(1);
    expect(host.visited).toEqual(["/pictures/R1/2026?view=a.jpg&found=sea+shore"]);
    const navigate = vi.spyOn(host, "navigate").mockResolvedValue(true);
    state.step(-1);
    state.step(-1);
    expect(navigate).toHaveBeenLastCalledWith("/pictures/R1/2026?view=b.jpg&found=sea+shore", { replace: true });
    await state.closeViewer();
    expect(navigate).toHaveBeenLastCalledWith("/search?q=sea+shore", { replace: true });
  });
});

it("a picture of an album has its neighbours", async () => {
  const item = (root: string, folder: string, name: string) => ({
    item: name,
    state: "present" as const,
    name,
    path: `/photos/${name}`,
    root,
    entry: { folder, name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", id: name },
  });
  const album = { id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 2, cover: null };
  const pictures = [item("R2", "2025", "x.jpg"), { ...item("R1", "", "gone.jpg"), state: "gone" as const, entry: null }, item("R1", "2026", "b.jpg")];
  backend.on("GET /api/albums/{id}", () => ({ album, pictures }));
  const { state } = await open("/pictures/R1/2026?view=b.jpg&album=A1");
  await vi.waitFor(() => expect(state.pictureNumber).toBe("Picture 2 of 2"));
  await vi.waitFor(() => expect(beside(state)).toEqual(["R2/2025/x.jpg", undefined]));
  const navigate = vi.spyOn(host, "navigate").mockResolvedValue(true);
  state.step(-1);
  expect(navigate).toHaveBeenLastCalledWith("/pictures/R2/2025?view=x.jpg&album=A1", { replace: true });
  await state.closeViewer();
  expect(navigate).toHaveBeenLastCalledWith("/albums/A1", { replace: true });
});

it("an album's box leads back to the page", async () => {
  const item = (name: string) => ({ item: name, state: "present" as const, name, path: `/photos/${name}`, root: "R1", entry: { folder: "2026", name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", id: name } });
  const album = { id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 3, cover: null };
  backend.on("GET /api/albums/{id}", () => ({ album, pictures: [item("x.jpg"), item("a.jpg"), item("b.jpg")] }));
  const box = "gallery=%2Fwiki%2Fgarden&sort=name&order=desc&limit=2";
  const { state } = await open(`/pictures/R1/2026?view=a.jpg&${box}&album=A1`);
  // The last two pictures, in the reverse order.
  await vi.waitFor(() => expect(state.pictureNumber).toBe("Picture 2 of 2"));
  await vi.waitFor(() => expect(beside(state)).toEqual(["R1/2026/b.jpg", undefined]));
  // The folder itself is not limited.
  await vi.waitFor(() => expect(state.listing.total).toBe(3));
  const navigate = vi.spyOn(host, "navigate").mockResolvedValue(true);
  state.step(-1);
  expect(navigate).toHaveBeenLastCalledWith(`/pictures/R1/2026?view=b.jpg&${box}&album=A1`, { replace: true });
  await state.closeViewer();
  expect(navigate).toHaveBeenLastCalledWith("/wiki/garden", { replace: true });
});

describe("the number of pictures", () => {
  const text = (state: FolderState) => state.statusItems.find(({ id }) => id === "count")?.text;

  const folders = ["2024", "2025"].map((name): FolderEntry => ({ name, kind: "folder", size: 0, mtime: "2026-11-20T00:00:00Z" }));

  it("is that inside, if there are only folders", async () => {
    backend.entries = folders;
    backend.countsNow = { "": 420 };
    const { state } = await open("/pictures/R1/");
    await vi.waitFor(() => expect(text(state)).toBe("2 folders · 420 pictures inside"));
  });

  it("is that inside beside those of the folder", async () => {
    backend.entries = [...folders, ...backend.entries];
    backend.countsNow = { "": 423 };
    const { state } = await open("/pictures/R1/");
    await vi.waitFor(() => expect(text(state)).toBe("3 pictures · 2 folders · 420 pictures inside"));
  });

  it("is that of the folder, if any", async () => {
    const { state } = await open("/pictures/R1/");
    expect(text(state)).toBe("3 pictures");
  });
});
