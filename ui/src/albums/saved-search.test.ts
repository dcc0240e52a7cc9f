// Smart albums: saved from a search, changed, renamed, deleted, and listed with the other albums.
import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { AlbumInfo } from "../api/albums";
import type { FolderEntry } from "../api/backend";
import { PICTURES_TYPE } from "../editing/files/picture-transfer";
import type { FakeBackend } from "../testing/fake-backend";
import { FolderVisit } from "../testing/folder-visit";
import type { StubHost } from "../testing/stub-host";
import AlbumsView from "./AlbumsView.svelte";
import AlbumView from "./AlbumView.svelte";
import SideAlbums from "./SideAlbums.svelte";

const picture = (name: string): FolderEntry => ({ name, folder: "R1", kind: "picture", size: 1_000, mtime: "2026-01-01T00:00:00Z", id: `id-${name}` });
const album = (id: string, name: string, more: Partial<AlbumInfo> = {}): AlbumInfo => ({ id, name, is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 0, cover: null, ...more });

let visit: FolderVisit;
let backend: FakeBackend;
let host: StubHost;
let albums: AlbumInfo[];

beforeEach(() => {
  visit = new FolderVisit([picture("a.jpg")]);
  ({ backend, host } = visit);
  albums = [album("A1", "旅", { count: 2 }), album("S1", "Best", { search: "rating:5" })];
  backend.on("GET /api/albums", () => albums);
  backend.on("POST /api/albums", ({ body: { name, search } }) => {
    const created = album("S2", name, { search: search ?? null });
    albums = [...albums, created];
    return created;
  });
  backend.on("PUT /api/albums/{id}", ({ path, body: { name, search } }) => {
    const before = albums.find(({ id }) => id === path.id) ?? album("", "");
    const changed = { ...before, name: name ?? before.name, search: search ?? before.search };
    albums = albums.map((one) => (one === before ? changed : one));
    return changed;
  });
  backend.on("DELETE /api/albums/{id}", ({ path }) => void (albums = albums.filter(({ id }) => id !== path.id)));
  backend.on("POST /api/albums/{id}/restore", () => album("S1", "Best", { search: "rating:5" }));
  backend.on("POST /api/albums/{id}/pictures", ({ body: { items } }) => ({ album: album("A1", "旅"), added: items.length }));
  backend.on("GET /api/search/pictures", () => ({ root: "search", path: "", listing: "L1", unread: 0, offset: 0, total: 1, pictures: 1, entries: [picture("a.jpg")] }));
});

async function open(at: string) {
  await visit.open(at);
  await screen.findAllByTestId("cell");
}

const actions = () => host.actions.map(({ id }) => id).filter((id) => id.includes("album"));

it.each([
  ["rating:5&saved=S1", "/albums/"],
  ["album:A1&saved=A1", "/albums/A1"],
  ["rating:5", "/search?q=rating%3A5"],
])("“%s” leads back to %s", async (query, above) => {
  await open(`/pictures/search/?q=${query}`);
  await waitFor(() => expect(host.crumbs.at(0)?.label).toBe(query.includes("saved") ? "Albums" : "Search"));
  const navigate = vi.spyOn(host, "navigate").mockResolvedValue(true);
  await host.press("Backspace");
  expect(navigate).toHaveBeenLastCalledWith(above);
});

it("saves a search under a name", async () => {
  await open("/pictures/search/?q=rating:4");
  await host.act("smart-album-save");
  const field = await screen.findByTestId<HTMLInputElement>("album-name");
  expect(field.value).toBe("rating:4");
  // A press of a letter replaces the proposed name.
  field.blur();
  field.focus();
  await userEvent.keyboard("Good{Enter}");
  await waitFor(() => expect(visit.address).toBe("/pictures/search/?q=rating%3A4&saved=S2"));
  expect(backend.sent("POST /api/albums")).toMatchObject([{ body: { name: "Good", search: "rating:4" } }]);
  await waitFor(() => expect(host.title).toBe("Good"));
  expect(host.toasts).toEqual(["Saved the search as Good"]);
  await host.open.at(-1)?.options.undo?.();
  expect(albums.map(({ id }) => id)).toEqual(["A1", "S1"]);
});

it("shows the name, renames and deletes with undo", async () => {
  await open("/pictures/search/?q=rating:5&saved=S1");
  await waitFor(() => expect(host.title).toBe("Best"));
  expect(host.crumbs.map(({ label }) => label)).toEqual(["Albums", "Best"]);
  expect(actions()).toEqual(["album-rename", "album-copy", "album-delete", "album-add", "album-favourite"]);
  await host.act("album-rename");
  await userEvent.type(await screen.findByTestId("album-name"), " ones{Enter}");
  await waitFor(() => expect(host.title).toBe("Best ones"));
  host.navigate = (url) => Promise.resolve(host.visited.push(url) > 0);
  await host.act("album-delete");
  expect(albums.map(({ id }) => id)).toEqual(["A1"]);
  expect(host.visited).toEqual(["/albums/"]);
  await host.open.at(-1)?.options.undo?.();
  expect(backend.sent("POST /api/albums/{id}/restore")).toHaveLength(1);
});

it("takes over a changed search only when asked", async () => {
  await open("/pictures/search/?q=rating:4&saved=S1");
  await waitFor(() => expect(host.title).toBe("Best"));
  expect(actions().slice(0, 2)).toEqual(["smart-album-update", "smart-album-save"]);
  await host.act("smart-album-update");
  await waitFor(() => expect(albums[1]?.search).toBe("rating:4"));
  await waitFor(() => expect(actions()).not.toContain("smart-album-update"));
  await host.open.at(-1)?.options.undo?.();
  expect(albums[1]?.search).toBe("rating:5");
});

it("is listed with its first picture and count", async () => {
  render(AlbumsView, { backend, host });
  const tiles = await screen.findAllByTestId("album");
  expect(tiles.map((tile) => tile.getAttribute("href"))).toEqual(["/albums/A1", "/pictures/search/?q=rating%3A5&saved=S1"]);
  await waitFor(() => expect(screen.getByTestId("smart-album-count").textContent.trim()).toMatch(/^Smart album\s+1 picture$/));
  expect(tiles[1]?.querySelector("img")?.getAttribute("src")).toContain("root=R1&path=a.jpg");
});

it("opens from the address of albums, too", async () => {
  backend.on("GET /api/albums/{id}", () => ({ album: albums[1] ?? album("", ""), pictures: [] }));
  render(AlbumView, { place: { id: "S1" }, backend, host });
  await waitFor(() => expect(visit.host.visited.at(-1)).toBe("/pictures/search/?q=rating%3A5&saved=S1"));
});

it("side panel lists albums, which take pictures", async () => {
  render(SideAlbums, { backend, host, current: "S1" });
  const rows = await screen.findAllByTestId("side-album");
  expect(rows.map((row) => [row.textContent.trim(), row.getAttribute("aria-current")])).toEqual([
    ["旅 2", null],
    ["Best", "page"],
  ]);
  const dragged = [{ root: "R1", path: "a.jpg", name: "a.jpg" }];
  const dataTransfer = { types: [PICTURES_TYPE], getData: () => JSON.stringify(dragged), dropEffect: "none" };
  for (const [row, takes] of [
    [rows[1], false],
    [rows[0], true],
  ] as const) {
    await fireEvent.dragOver(row as HTMLElement, { dataTransfer });
    expect(row?.classList.contains("target")).toBe(takes);
  }
  await fireEvent.drop(rows[0] as HTMLElement, { dataTransfer });
  await waitFor(() => expect(host.toasts).toEqual(["Added 1 picture to 旅"]));
  expect(backend.sent("POST /api/albums/{id}/pictures")).toMatchObject([{ body: { items: [{ root: "R1", path: "a.jpg" }] } }]);
  expect(within(rows[1] as HTMLElement).queryByText("0")).toBeNull();
});
