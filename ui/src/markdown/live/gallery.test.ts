// A fence that shows a folder, from the page's text to its pictures and back.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { galleryFrom } from "../../api/addresses/gallery-address";
import { FakeBackend } from "../../testing/fake-backend";
import { dom } from "../testing";
import { LiveRenderer } from "./live-renderer";
import { SizeMemory } from "./size-memory";

const WORDS = { diagram: "", diagramFailed: String, diagramTooLarge: String, mathFailed: String };
const PICTURES = { id: "R1", name: "Pictures", path: "/home/aya/Pictures", available: true };

const entry = (name: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({ name, kind, size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });

let backend: FakeBackend;
let aborting: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  aborting = new AbortController();
  backend = new FakeBackend();
  backend.rootsNow = [PICTURES];
  backend.entries = [entry("a.jpg"), entry("苔 1.jpg"), entry("inner", "folder")];
});

afterEach(() => {
  aborting.abort();
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** Opens a page and returns the box of the gallery once all responses have arrived. */
async function open(lines: string, sizes: SizeMemory | null = null): Promise<HTMLElement> {
  const page = dom(`\`\`\`gallery\n${lines}\n\`\`\``);
  document.body.replaceChildren(page);
  await new LiveRenderer(() => WORDS, aborting.signal, backend, sizes).activate(page);
  const box = page.querySelector<HTMLElement>(".gallery");
  if (box === null) throw new Error("no gallery");
  await settled();
  return box;
}

/** Waits for all work, including code that is loaded when a gallery is first seen. */
async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(1_000);
}

const names = (box: HTMLElement) => [...box.querySelectorAll("li img")].map((picture) => picture.getAttribute("alt"));

it("shows the folder's pictures, each leading to itself", async () => {
  const box = await open("folder: /home/aya/Pictures/2024\nsort: taken\norder: desc\nlimit: 12");
  const query = { root: "R1", path: "2024", sort: "taken", order: "desc", limit: 12, kind: "picture", offset: 0 };
  expect(backend.folders.list).toHaveBeenCalledExactlyOnceWith(query, expect.any(AbortSignal));
  expect(names(box)).toEqual(["a.jpg", "苔 1.jpg"]);
  const links = [...box.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  const gallery = "gallery=%2F&sort=taken&order=desc&limit=12";
  expect(links).toEqual([`/pictures/R1/2024?view=a.jpg&${gallery}`, `/pictures/R1/2024?view=%E8%8B%94%201.jpg&${gallery}`, "/pictures/R1/2024"]);
  expect(box.querySelector("img")?.getAttribute("loading")).toBe("lazy");
  expect(box.querySelector("pre")?.hidden).toBe(true);
  expect(box.querySelector(".gallery-caption")?.textContent).toContain("2 pictures");
});

it("pictures open within the gallery", async () => {
  history.replaceState(null, "", "/wiki/garden/moss?revision=3");
  backend.entries = [{ ...entry("苔 & a.jpg"), rating: 4, tags: ["Places/Kyoto"] }];
  const box = await open("folder: Pictures\nfilter: 苔 &\nrating: 3\ntag: Places/Kyoto");
  history.replaceState(null, "", "/");
  const { searchParams } = new URL(box.querySelector("a")?.href ?? "");
  expect(Object.fromEntries(searchParams)).toMatchObject({ view: "苔 & a.jpg", filter: "苔 &", rating: "3", tag: "Places/Kyoto" });
  expect(galleryFrom(searchParams)).toEqual({ page: "/wiki/garden/moss?revision=3", sort: "name", order: "asc", limit: 60 });
});

it("reserves its space before anything loads", () => {
  const page = dom("```gallery\nfolder: Pictures\nrows: 3\nsize: 100\n```");
  new LiveRenderer(() => WORDS, aborting.signal, backend).reserveSpace(page);
  expect(page.querySelector<HTMLElement>(".gallery")?.style.height).toBe("340px");
  expect(backend.folders.list).not.toHaveBeenCalled();
});

it("follows changes of its own folder only", async () => {
  const box = await open("folder: Pictures/2024");
  expect(backend.folders.watch).toHaveBeenCalledTimes(1);
  backend.entries = [entry("new.jpg")];
  backend.emit("folder.changed", { root: "R1", path: "2023" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(box)).toHaveLength(2);
  backend.emit("folder.changed", { root: "R1", path: "2024" });
  backend.emit("folder.changed", { root: "R1", path: "2024" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(box)).toEqual(["new.jpg"]);
  expect(backend.folders.list).toHaveBeenCalledTimes(2);
  // The watch lasts as long as the gallery is shown.
  await vi.advanceTimersByTimeAsync(40_000);
  expect(backend.folders.watch).toHaveBeenCalledTimes(2);
});

it("shown pictures survive changes of marks or order", async () => {
  const box = await open("folder: Pictures");
  const list = box.querySelector("ul");
  const pictures = () => [...box.querySelectorAll("img")];
  const [a, moss] = pictures();
  const link = box.querySelectorAll<HTMLElement>("li a")[1];
  link?.focus();
  const inserted = vi.spyOn(Element.prototype, "insertBefore");
  const follow = async (entries: FolderEntry[]) => {
    backend.entries = entries;
    backend.emit("folder.changed", { root: "R1", path: "" });
    await vi.advanceTimersByTimeAsync(1_000);
  };
  await follow(backend.entries.map((one) => ({ ...one, rating: 4 })));
  expect(pictures()).toEqual([a, moss]);
  // Only the caption below.
  expect(inserted.mock.contexts.filter((parent) => parent === list)).toEqual([]);
  await follow([entry("苔 1.jpg"), entry("new.jpg"), entry("a.jpg")]);
  expect(pictures()).toEqual([moss, expect.anything(), a]);
  expect(box.querySelector("ul")).toBe(list);
  expect(document.activeElement).toBe(link);
  await follow([entry("a.jpg")]);
  expect(pictures()).toEqual([a]);
  // A new version of the picture.
  await follow([{ ...entry("a.jpg"), id: "another" }]);
  expect(pictures()).toEqual([a]);
  expect(a?.getAttribute("src")).toContain("another");
});

it("a failed picture shows its name until changed", async () => {
  const box = await open("folder: Pictures");
  box.querySelector("img")?.dispatchEvent(new Event("error"));
  const [first] = box.querySelectorAll("li");
  expect(first?.textContent).toBe("a.jpg");
  expect(first?.querySelector("img")).toBeNull();
  expect(first?.querySelector("a")?.getAttribute("href")).toContain("/pictures/R1/?view=a.jpg&");
  const follow = async () => {
    backend.emit("folder.changed", { root: "R1", path: "" });
    await vi.advanceTimersByTimeAsync(1_000);
  };
  await follow();
  expect(names(box)).toEqual(["苔 1.jpg"]);
  backend.entries = [{ ...entry("a.jpg"), id: "another" }];
  await follow();
  expect(names(box)).toEqual(["a.jpg"]);
  expect(first?.textContent).toBe("");
});

it("requests nothing once page or gallery is gone", async () => {
  const page = dom("```gallery\nfolder: Pictures\n```");
  document.body.replaceChildren(page);
  const liveRenderer = new LiveRenderer(() => WORDS, aborting.signal, backend);
  await liveRenderer.activate(page);
  await settled();
  page.replaceChildren();
  await liveRenderer.activate(page);
  backend.emit("folder.changed", { root: "R1", path: "" });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(backend.folders.list).toHaveBeenCalledTimes(1);
  expect(backend.folders.watch).toHaveBeenCalledTimes(1);
});

it("shows a folder once it is opened", async () => {
  backend.rootsNow = [];
  const box = await open("folder: /home/aya/Pictures");
  expect(box.querySelector(".gallery-note")?.textContent).toContain("isn’t inside an open folder");
  backend.rootsNow = [PICTURES];
  backend.emit("folder.changed", { root: "R1", path: null });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(box)).toHaveLength(2);
});

it("explains why a folder can't be shown", async () => {
  backend.folders.list.mockRejectedValueOnce(new ApiError("not_found", 404, ""));
  const box = await open("folder: Pictures/gone");
  expect(box.querySelector(".gallery-note")?.textContent).toMatch(/^Couldn’t show “Pictures\/gone”: /);
});

it("reports that there are no pictures", async () => {
  backend.entries = [];
  const box = await open("folder: Pictures");
  expect(box.querySelector(".gallery-note")?.textContent).toBe("No pictures");
});

it("shows the source's errors and requests nothing", async () => {
  const box = await open("folder: Pictures\ncolour: <b>red</b>");
  expect(box.querySelector(".gallery-note")?.textContent).toContain("“colour”");
  expect(box.querySelector("pre")?.hidden).toBe(false);
  expect(box.querySelector("b")).toBeNull();
  expect(backend.folders.list).not.toHaveBeenCalled();
});

it("shows names of files and folders as text", async () => {
  backend.entries = [entry('<img src=x onerror="alert(1)">.jpg')];
  const box = await open("folder: Pictures/<script>alert(1)</script>");
  expect(box.querySelectorAll("img")).toHaveLength(1);
  expect(box.querySelector("script")).toBeNull();
  expect(names(box)).toEqual(['<img src=x onerror="alert(1)">.jpg']);
});

it("reserves fewer rows next time for few pictures", async () => {
  const sizes = new SizeMemory(() => ({ getItem: () => null, setItem: () => {} }));
  const lines = "folder: /home/aya/Pictures\nrows: 4\nsize: 100";
  const whole = 4 * 100 + 3 * 6 + 28;
  // A single column, as jsdom has no layout: two pictures take two rows.
  const needed = 2 * 100 + 6 + 28;
  expect((await open(lines, sizes)).style.height).toBe(`${whole}px`);
  expect((await open(lines, sizes)).style.height).toBe(`${needed}px`);
  // Below the visible area it moves nothing.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, innerHeight, 100, whole));
  expect((await open(lines)).style.height).toBe(`${needed}px`);
});
