import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { AlbumPicture } from "../api/albums";
import { canonicalPath } from "../api/names";
import { PICTURES_TYPE } from "../editing/files/picture-transfer";
import { FakeBackend, fakeDesktop } from "../testing/fake-backend";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import AlbumView from "./AlbumView.svelte";

let backend: FakeBackend;
let host: StubHost;
let pictures: AlbumPicture[];

function picture(item: string, state: AlbumPicture["state"] = "present"): AlbumPicture {
  const name = `${item}.jpg`;
  const entry = { folder: "2026", name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${item}` };
  return { item, state, name, path: `/photos/2026/${name}`, root: "R1", entry: state === "present" ? entry : null };
}

const album = () => ({ id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: pictures.length, cover: null });

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  pictures = [picture("a"), picture("b"), picture("c", "gone")];
  backend.on("GET /api/albums/{id}", () => ({ album: album(), pictures }));
  backend.on("POST /api/albums/{id}/arrange", ({ body: { items, before } }) => {
    const moved = pictures.filter(({ item }) => items.includes(item));
    const rest = pictures.filter(({ item }) => !items.includes(item));
    const at = rest.findIndex(({ item }) => item === before);
    pictures = at === -1 ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
    return album();
  });
  backend.on("POST /api/albums/{id}/remove", ({ body: { items = [] } }) => {
    pictures = pictures.filter(({ item }) => !items.includes(item));
    return album();
  });
  backend.on("PUT /api/albums/{id}", () => album());
  backend.on("POST /api/albums/find", () => ({ id: "J1" }));
});

async function open() {
  render(AlbumView, { place: { id: "A1" }, backend, host });
  return screen.findAllByTestId("album-picture");
}

const order = () => screen.getAllByTestId("album-picture").map((one) => one.dataset["item"]);
const press = (index: number, key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(screen.getAllByTestId("album-picture")[index] as HTMLElement, { key, ...more });

it("links to its pictures, and names missing ones", async () => {
  const [first, , last] = await open();
  expect(first?.getAttribute("href")).toBe("/pictures/R1/2026?view=a.jpg&album=A1");
  expect(last?.getAttribute("aria-label")).toBe("c.jpg: no longer at /photos/2026/c.jpg");
  expect(host.statusItems.map(({ text }) => text)).toEqual(["3 pictures", "2\u00a0bytes"]);
});

it("a picture has the focus at once", async () => {
  const focused = () => (document.activeElement as HTMLElement).dataset["item"];
  const { unmount } = render(AlbumView, { place: { id: "A1" }, backend, host });
  await waitFor(() => expect(focused()).toBe("a"));
  await press(0, "ArrowRight");
  await waitFor(() => expect(focused()).toBe("b"));
  unmount();
  await open();
  await waitFor(() => expect(focused()).toBe("b"));
});

it("a menu opens a picture", async () => {
  const [first, , last] = await open();
  await fireEvent.contextMenu(first as HTMLElement);
  expect(host.menu?.actions.map(({ id }) => id)).toEqual(["album-picture-open", "album-picture-tab", "album-cover", "album-earlier", "album-later", "album-take-out"]);
  host.choose("album-picture-open");
  expect(host.visited).toEqual(["/pictures/R1/2026?view=a.jpg&album=A1"]);
  await fireEvent.contextMenu(last as HTMLElement);
  expect(host.menu?.actions[0]?.id).toBe("album-cover");
});

it("copies the fence by which pages show it", async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { platform: "Linux", clipboard: { writeText } });
  await open();
  await host.act("album-copy");
  await waitFor(() => expect(host.toasts).toEqual(["Copied the album 旅. Paste it into a page."]));
  expect(writeText).toHaveBeenCalledExactlyOnceWith("```album\nalbum: 旅\nid: A1\n```\n");
  vi.unstubAllGlobals();
});

it("is shown as a folder", async () => {
  await open();
  await host.act("album-folder");
  expect(host.visited).toEqual(["/pictures/search/?q=album%3AA1&saved=A1"]);
});

it("searches for missing pictures", async () => {
  await open();
  await fireEvent.click(screen.getByTestId("album-find"));
  await waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(backend.sent("POST /api/albums/find")).toHaveLength(1);
});

it("pictures are arranged by keys", async () => {
  await open();
  await press(0, "ArrowRight", { altKey: true });
  await waitFor(() => expect(order()).toEqual(["b", "a", "c"]));
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset["item"]).toBe("a"));
  await press(1, "ArrowRight", { altKey: true });
  await waitFor(() => expect(order()).toEqual(["b", "c", "a"]));
  await press(1, "ArrowLeft");
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset["item"]).toBe("b"));
});

it("pictures are arranged by dragging", async () => {
  const cells = await open();
  await fireEvent.dragStart(cells[1] as HTMLElement);
  await fireEvent.dragOver(cells[0] as HTMLElement);
  await fireEvent.drop(cells[0] as HTMLElement);
  await waitFor(() => expect(order()).toEqual(["b", "a", "c"]));
});

it("a removed picture can be brought back", async () => {
  backend.on("POST /api/albums/{id}/pictures", ({ body }) => {
    expect(body).toEqual({ items: [{ root: "R1", path: "2026/a.jpg" }], before: "b" });
    pictures = [picture("a"), ...pictures];
    return { added: 1, album: album() };
  });
  await open();
  await press(0, "Delete");
  await waitFor(() => expect(order()).toEqual(["b", "c"]));
  await waitFor(() => expect(host.toasts).toEqual(["Removed a.jpg from the album"]));
  await host.open[0]?.options.undo?.();
  expect(pictures.map(({ item }) => item)).toEqual(["a", "b", "c"]);
});

it("all files of a picture are brought back", async () => {
  const companion = { part: "raw" as const, name: "a.cr3", kind: "picture" as const, size: 9, mtime: "2026-11-20T00:00:00Z", id: "id-raw" };
  const joined = picture("a");
  const [shown, raw, other] = [{ ...joined, entry: { ...joined.entry!, companions: [companion] } }, picture("raw"), picture("b")];
  raw.entry = { ...raw.entry!, name: "a.cr3" };
  backend.on("GET /api/albums/{id}", ({ query }) => ({ album: album(), pictures: query.joined === "false" ? [raw, other, shown] : pictures }));
  const added: unknown[] = [];
  backend.on("POST /api/albums/{id}/pictures", ({ body }) => {
    added.push(body);
    return { added: 2, album: album() };
  });
  pictures = [shown, other];
  await open();
  expect(screen.getAllByTestId("parts-badge").map((badge) => badge.textContent.trim())).toEqual(["RAW"]);
  expect(host.statusItems.map(({ text }) => text)).toEqual(["2 pictures", "11\u00a0bytes"]);
  await press(0, "Delete");
  await waitFor(() => expect(host.open[0]?.options.undo).toBeDefined());
  await host.open[0]?.options.undo?.();
  expect(added).toEqual([{ items: [{ root: "R1", path: "2026/a.cr3" }, { root: "R1", path: "2026/a.jpg" }], before: "b" }]);
});

it("an unknown album is named as such", async () => {
  backend.on("GET /api/albums/{id}", () => fail("album_not_found"));
  render(AlbumView, { place: { id: "A9" }, backend, host });
  expect((await screen.findByTestId("album-failed")).textContent).toContain("This album does not exist");
});

it("takes pictures from elsewhere, and gives its own", async () => {
  const [, second] = await open();
  backend.on("POST /api/albums/{id}/pictures", ({ body: { items } }) => ({ album: album(), added: items.length }));
  const place = [{ root: "R2", path: "x.jpg", name: "x.jpg" }];
  const dataTransfer = { types: [PICTURES_TYPE], getData: () => JSON.stringify(place), setData: vi.fn(), dropEffect: "none", effectAllowed: "none" };
  await fireEvent.dragOver(second as HTMLElement, { dataTransfer });
  await fireEvent.drop(second as HTMLElement, { dataTransfer });
  await waitFor(() => expect(host.toasts).toEqual(["Added 1 picture to 旅"]));
  expect(backend.sent("POST /api/albums/{id}/pictures")).toMatchObject([{ body: { items: [{ root: "R2", path: "x.jpg" }], before: "b" } }]);
  await fireEvent.dragStart(second as HTMLElement, { dataTransfer });
  expect(dataTransfer.setData).toHaveBeenCalledWith(PICTURES_TYPE, JSON.stringify([{ root: "R1", path: "2026/b.jpg", name: "b.jpg" }]));
});

it("a dragged picture carries its file", async () => {
  backend.desktop = fakeDesktop();
  const [first, , gone] = await open();
  const dataTransfer = { setData: vi.fn(), effectAllowed: "none" };
  await fireEvent.dragStart(first as HTMLElement, { dataTransfer });
  const link = new URL(backend.folders.imageUrl("R1", canonicalPath("2026/a.jpg"), "id-a"), location.href).href;
  expect(dataTransfer.setData).toHaveBeenCalledWith("text/uri-list", link);
  expect(backend.desktop.dragFiles).toHaveBeenCalledExactlyOnceWith(link, [{ root: "R1", path: "2026/a.jpg" }]);
  await fireEvent.dragStart(gone as HTMLElement, { dataTransfer });
  expect(backend.desktop.dragFiles).toHaveBeenCalledOnce();
});

it("marks files that are not as recorded", async () => {
  backend.hashRecords.badgesNow = { states: { "a.jpg": "ok", "b.jpg": "corrupt" }, new: 0, recorded: 2 };
  const [first, second] = await open();
  await waitFor(() => expect(second?.querySelector("[data-testid=hash-badge]")?.textContent.trim()).toBe("Corrupt"));
  expect(first?.querySelector("[data-testid=hash-badge]")).toBeNull();
  expect(backend.hashes.badges).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: "2026" }, expect.any(AbortSignal));
});

it("marks a picture whose other file is damaged", async () => {
  const [first] = pictures;
  pictures = [{ ...first!, entry: { ...first!.entry!, companions: [{ part: "raw", name: "a.cr3", kind: "picture", size: 9, mtime: "2026-11-20T00:00:00Z", id: "id-raw" }] } }];
  backend.hashRecords.badgesNow = { states: { "a.jpg": "ok", "a.cr3": "corrupt" }, new: 0, recorded: 2 };
  await open();
  expect((await screen.findByTestId("hash-badge")).textContent.trim()).toBe("Corrupt");
});

it("many changes of folders are one reading", async () => {
  await open();
  vi.useFakeTimers();
  try {
    const read = () => backend.sent("GET /api/albums/{id}").length;
    const before = read();
    backend.emit("folder.changed", { root: "R9", path: "" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(read()).toBe(before);
    for (let change = 0; change < 5; change++) backend.emit("folder.changed", { root: "R1", path: "2026" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(read()).toBe(before + 1);
  } finally {
    vi.useRealTimers();
  }
});

const transfer = () => ({ types: [PICTURES_TYPE], getData: () => JSON.stringify([{ root: "R2", path: "x.jpg", name: "x.jpg" }]), setData: vi.fn(), dropEffect: "none", effectAllowed: "none" });

it("takes pictures behind the last one", async () => {
  const [first] = await open();
  const adds: unknown[] = [];
  backend.on("POST /api/albums/{id}/pictures", ({ body }) => {
    adds.push(body);
    return { album: album(), added: 1 };
  });
  const list = screen.getByTestId("album-pictures");
  await fireEvent.dragOver(list, { dataTransfer: transfer() });
  expect(list.classList.contains("target")).toBe(true);
  await fireEvent.drop(list, { dataTransfer: transfer() });
  await waitFor(() => expect(adds).toEqual([{ items: [{ root: "R2", path: "x.jpg" }], before: null }]));
  await fireEvent.dragStart(first as HTMLElement);
  await fireEvent.drop(list);
  await waitFor(() => expect(order()).toEqual(["b", "c", "a"]));
});

it("an empty album takes pictures", async () => {
  pictures = [];
  backend.on("POST /api/albums/{id}/pictures", () => {
    pictures = [picture("x")];
    return { album: album(), added: 1 };
  });
  render(AlbumView, { place: { id: "A1" }, backend, host });
  const place = await screen.findByTestId("album-drop");
  await fireEvent.dragOver(place, { dataTransfer: transfer() });
  await fireEvent.drop(place, { dataTransfer: transfer() });
  await waitFor(() => expect(order()).toEqual(["x"]));
});
