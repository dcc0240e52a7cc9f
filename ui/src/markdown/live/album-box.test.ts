// A fence that shows an album, from the page's text to its pictures and back.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { galleryFrom } from "../../api/addresses/gallery-address";
import type { AlbumInfo, AlbumPicture } from "../../api/albums";
import type { FolderEntry } from "../../api/backend";
import { FakeBackend } from "../../testing/fake-backend";
import { dom } from "../testing";
import { LiveRenderer } from "./live-renderer";

const WORDS = { diagram: "", diagramFailed: String, diagramTooLarge: String, mathFailed: String };

const entry = (name: string, folder: string): FolderEntry => ({ name, folder, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const present = (item: string, name: string, folder: string): AlbumPicture => ({ item, name, path: `/p/${name}`, state: "present", root: "R1", entry: entry(name, folder) });
const gone: AlbumPicture = { item: "I9", name: "lost.jpg", path: "/p/lost.jpg", state: "gone", root: "R1", entry: null };
const album = (id: string, name: string, more: Partial<AlbumInfo> = {}): AlbumInfo => ({ id, name, is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 2, cover: null, ...more });

let backend: FakeBackend;
let aborting: AbortController;
let albums: AlbumInfo[];
let pictures: AlbumPicture[];

beforeEach(() => {
  vi.useFakeTimers();
  aborting = new AbortController();
  backend = new FakeBackend();
  albums = [album("A1", "旅"), album("A2", "旅"), album("S1", "Best", { search: "rating:5" })];
  pictures = [present("I1", "b.jpg", "2024"), present("I2", "苔.jpg", ""), gone, present("I3", "a.jpg", "2023")];
  backend.on("GET /api/albums", () => albums);
  backend.on("GET /api/albums/{id}", ({ path }) => ({ album: albums.find(({ id }) => id === path.id) ?? album("", ""), pictures }));
});

afterEach(() => {
  aborting.abort();
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** Opens a page and returns the box of the album once all responses have arrived. */
async function open(lines: string): Promise<HTMLElement> {
  const page = dom(`\`\`\`album\n${lines}\n\`\`\``);
  document.body.replaceChildren(page);
  await new LiveRenderer(() => WORDS, aborting.signal, backend).activate(page);
  const box = page.querySelector<HTMLElement>(".gallery.album");
  if (box === null) throw new Error("no album");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(1_000);
  return box;
}

const names = (box: HTMLElement) => [...box.querySelectorAll("li img")].map((picture) => picture.getAttribute("alt"));
const message = (box: HTMLElement) => box.querySelector(".gallery-note")?.textContent;
const caption = (box: HTMLElement) => box.querySelector(".gallery-caption")?.textContent;

it("shows the album's present pictures in their order", async () => {
  const box = await open("album: 旅\nlimit: 2");
  expect(names(box)).toEqual(["b.jpg", "苔.jpg"]);
  expect(caption(box)).toBe("旅 2 of 3 pictures");
  const links = [...box.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  const context = "album=A1&gallery=%2F&sort=name&order=asc&limit=2";
  expect(links).toEqual([`/pictures/R1/2024?view=b.jpg&${context}`, `/pictures/R1/?view=%E8%8B%94.jpg&${context}`, "/albums/A1"]);
});

it("the order may be reversed", async () => {
  expect(names(await open("album: 旅\norder: desc"))).toEqual(["a.jpg", "苔.jpg", "b.jpg"]);
});

it("an id names the album under any name", async () => {
  const box = await open("album: old name\nid: A2");
  expect(caption(box)).toContain("旅");
  expect(box.querySelector(".gallery-caption a")?.getAttribute("href")).toBe("/albums/A2");
  albums = [album("A2", "renamed")];
  backend.emit("albums.changed", {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(caption(box)).toContain("renamed");
});

it("favourites are named in the user's language", async () => {
  albums = [album("A1", "Favorites of mine", { is_favourites: true })];
  expect(caption(await open("album: Favourites"))).toBe("Favourites 3 pictures");
});

it("follows changes of the album and its folders", async () => {
  const box = await open("album: 旅\nlimit: 2");
  const [first] = box.querySelectorAll("img");
  pictures = pictures.slice(0, 1);
  backend.emit("albums.changed", {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...box.querySelectorAll("img")]).toEqual([first]);
  const reads = () => backend.sent("GET /api/albums/{id}").length;
  const before = reads();
  // That folder has no picture of the box any more.
  backend.emit("folder.changed", { root: "R1", path: "2023" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads()).toBe(before);
  backend.emit("folder.changed", { root: "R1", path: "2024" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads()).toBe(before + 1);
});

it("a smart album shows what its search finds", async () => {
  const found = { ...entry("b.jpg", "R1/2024") };
  backend.on("GET /api/search/pictures", () => ({ root: "search", path: "", listing: "L1", unread: 0, offset: 0, total: 7, pictures: 7, entries: [found] }));
  const box = await open("album: Best\nsort: taken\norder: desc\nlimit: 1");
  expect(backend.sent("GET /api/search/pictures")).toMatchObject([{ query: { q: "rating:5", sort: "taken", order: "desc", limit: "1" } }]);
  expect(caption(box)).toBe("Best 1 of 7 pictures");
  const { pathname, searchParams } = new URL(box.querySelector("a")?.href ?? "");
  expect([pathname, searchParams.get("view"), searchParams.get("q"), searchParams.get("saved")]).toEqual(["/pictures/search/", "R1/2024/b.jpg", "rating:5", "S1"]);
  expect(galleryFrom(searchParams)).toEqual({ page: "/", sort: "taken", order: "desc", limit: 1 });
});

it.each([
  ["album: 夢", "There is no album “夢”."],
  ["album: 旅\nid: A9", "There is no album “旅”."],
  ["album: 旅\nsort: taken", "“旅” has its own order. “sort” is for smart albums."],
])("explains why %j shows no pictures", async (lines, expected) => {
  const box = await open(lines);
  expect(message(box)).toBe(expected);
  expect(names(box)).toEqual([]);
});

it.each([
  ["limit: 3", "This fence has no album. Add a line such as “album: Travel”."],
  ["album: 旅\nfolder: x", "Unknown album option “folder”. Options: album, id, sort, order, limit, rows, size."],
  ["album: 旅\nrows: 0", "“0” isn’t a valid value for the album option “rows”."],
])("shows the error in %j", async (lines, expected) => {
  const box = await open(lines);
  expect(message(box)).toBe(expected);
  expect(box.querySelector("pre")?.hidden).toBe(false);
  expect(backend.sent("GET /api/albums")).toEqual([]);
});

it("appears when a deleted album is restored", async () => {
  const all = albums;
  albums = [];
  const box = await open("album: 旅\nid: A1");
  expect(message(box)).toBe("There is no album “旅”.");
  albums = all;
  backend.emit("albums.changed", {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(box)).toHaveLength(3);
});
