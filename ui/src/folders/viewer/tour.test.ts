// A picture that was opened from an album or a search: the viewer goes through its pictures, whatever their folders.
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import type { FakeBackend } from "../../testing/fake-backend";
import { folderPart } from "../../testing/folder-part";
import { FolderVisit } from "../../testing/folder-visit";
import type { StubHost } from "../../testing/stub-host";
import { sessionMemory } from "../session/session-memory";

const picture = (name: string): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-01-01T00:00:00Z", id: `id-${name}`, width: 400, height: 300 });

const FOLDERS: Record<string, FolderEntry[]> = { "2025": ["x.jpg", "y.jpg"].map(picture), "2026": ["a.jpg", "b.jpg"].map(picture) };

let visit: FolderVisit;
let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  sessionMemory.isFilmstripShown = false;
  visit = new FolderVisit([]);
  ({ backend, host } = visit);
  backend.on("GET /api/folders", ({ query, encoded }) => ({ root: query.root ?? "", path: encoded.path ?? "", listing: `L${encoded.path}`, unread: 0, offset: Number(query.offset ?? 0), ...folderPart(FOLDERS[encoded.path ?? ""] ?? [], query) }));
  const item = (folder: string, name: string) => ({ item: name, state: "present" as const, name, path: `/photos/${folder}/${name}`, root: "R1", entry: { ...picture(name), folder } });
  const album = { id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 3, cover: null };
  backend.on("GET /api/albums/{id}", () => ({ album, pictures: [item("2026", "b.jpg"), item("2025", "x.jpg"), item("2026", "a.jpg")] }));
});

afterEach(() => vi.useRealTimers());

const source = () => screen.getByTestId("viewer-image").getAttribute("src");
const isStatus = (wanted: string) => waitFor(() => expect(host.statusItems.map(({ text }) => text)).toContain(wanted));
const ALBUM = "/pictures/R1/2026?view=b.jpg&album=A1";

it("full screen stays in the next folder", async () => {
  await visit.open(ALBUM);
  await isStatus("Picture 1 of 3");
  const viewer = screen.getByTestId("viewer");
  await host.press("f");
  await waitFor(() => expect(viewer.classList.contains("full")).toBe(true));
  await host.press("j");
  const seen = new Set<string | null>();
  await waitFor(() => {
    seen.add(source());
    expect(source()).toBe("/api/image?root=R1&path=2025/x.jpg&v=id-x.jpg");
  });
  // The picture stays until the next one is found, at its own address.
  expect([...seen].filter((one) => one?.includes("2025/b.jpg"))).toEqual([]);
  expect(screen.getByTestId("viewer")).toBe(viewer);
  expect(viewer.classList.contains("full")).toBe(true);
});

it("a slideshow goes through the album", async () => {
  sessionMemory.slideSeconds = 2;
  await visit.open(ALBUM);
  await isStatus("Picture 1 of 3");
  vi.useFakeTimers();
  await host.press("s");
  for (const path of ["2025/x.jpg", "2026/a.jpg", "2026/b.jpg"]) {
    await fireEvent.load(screen.getByTestId("viewer-image"));
    await vi.advanceTimersByTimeAsync(2_100);
    await vi.advanceTimersByTimeAsync(100);
    expect(source()).toContain(path);
  }
});

it("the trash leads on in the album", async () => {
  await visit.open(ALBUM);
  await isStatus("Picture 1 of 3");
  await host.act("files-bin");
  await waitFor(() => expect(visit.address).toBe("/pictures/R1/2025?view=x.jpg&album=A1"));
  await isStatus("Picture 1 of 2");
  expect(backend.files.bin).toHaveBeenCalledExactlyOnceWith([{ root: "R1", path: "2026/b.jpg" }]);
});

it("the filmstrip shows the pictures of the album", async () => {
  sessionMemory.isFilmstripShown = true;
  await visit.open(ALBUM);
  await waitFor(() => expect(screen.queryAllByTestId("filmstrip-picture").map((link) => link.getAttribute("href"))).toEqual([ALBUM, "/pictures/R1/2025?view=x.jpg&album=A1", "/pictures/R1/2026?view=a.jpg&album=A1"]));
  const [, second] = screen.getAllByTestId("filmstrip-picture");
  await fireEvent.click(second as HTMLElement);
  await waitFor(() => expect(source()).toContain("2025/x.jpg"));
});

it("goes on after the first results", async () => {
  const results = Array.from({ length: 230 }, (_, number) => `2025/${number}.jpg`);
  FOLDERS["2025"] = results.map((path) => picture(path.slice("2025/".length)));
  const found = (path: string) => ({ kind: "picture" as const, root: "R1", root_path: path, title: { text: path, highlights: [] }, path: { text: path, highlights: [] }, snippets: [], score: 1 });
  backend.finds.picture.mockImplementation((_query, options) => {
    const { limit, anchor } = options as { limit: string; anchor?: string };
    const end = Number(anchor ?? 0) + Number(limit);
    return Promise.resolve({ items: results.slice(Number(anchor ?? 0), end).map(found), total: results.length, anchor: end < results.length ? String(end) : null, partial: null });
  });
  await visit.open("/pictures/R1/2025?view=99.jpg&found=sea");
  await isStatus("Result 100 of 230");
  await host.press("j");
  await isStatus("Result 101 of 230");
  expect(source()).toContain("2025/100.jpg");
  // The neighbours are known with their sizes.
  await waitFor(() => expect(backend.sent("GET /api/folders").some(({ query }) => query.around === "101.jpg")).toBe(true));
});
