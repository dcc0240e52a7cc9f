// An album's pictures are exported, printed, and put on a contact sheet, each where it is.
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { AlbumPicture } from "../../api/albums";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import AlbumOutput from "./AlbumOutput.svelte";

let backend: FakeBackend;
let host: StubHost;

function picture(root: string, folder: string, name: string, more: Partial<NonNullable<AlbumPicture["entry"]>> = {}): AlbumPicture {
  const entry = { folder, name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more };
  return { item: name, state: "present", name, path: `/photos/${folder}/${name}`, root, entry };
}

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  backend.rootsNow = ["R1", "R2"].map((id) => ({ id, name: `Photos ${id}`, path: `/photos/${id}`, available: true }));
  const gone: AlbumPicture = { item: "gone", state: "gone", name: "gone.jpg", path: "/photos/gone.jpg", root: null, entry: null };
  const pictures = [picture("R1", "2026", "a.jpg"), picture("R2", "", "b.jpg"), gone, picture("R2", "2025", "c.mp4", { video: true })];
  backend.on("GET /api/albums/{id}", () => ({ album: { id: "A1", name: "Trip", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 4, cover: null }, pictures }));
});

async function open() {
  const roots = { items: backend.rootsNow, renew: () => {}, add: vi.fn() };
  render(AlbumOutput, { place: { id: "A1" }, backend, host, roots });
  await screen.findAllByTestId("album-picture");
}

it("makes a contact sheet of present pictures", async () => {
  await open();
  await host.act("contact-sheet");
  expect((await screen.findByTestId<HTMLInputElement>("sheet-heading")).value).toBe("Trip");
  expect(screen.getByTestId("sheet-target").textContent).toBe("Photos R1");
  await userEvent.click(screen.getByTestId("sheet-do"));
  const places = [
    { root: "R1", path: "2026/a.jpg" },
    { root: "R2", path: "b.jpg" },
  ];
  await waitFor(() => expect(backend.files.contactSheet).toHaveBeenCalledWith(places, expect.objectContaining({ root: "R1", path: "" }), expect.objectContaining({ name: "Trip.pdf", title: "Trip" })));
});

it("filters its pictures, and remembers the filter", async () => {
  const rated = picture("R1", "", "rated.jpg", { rating: 5, tags: ["Places/Kyoto"] });
  const captioned = picture("R1", "", "captioned.jpg", { caption: "At dusk" });
  const contents = { album: { id: "A2", name: "Trip", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 2, cover: null }, pictures: [rated, captioned] };
  backend.on("GET /api/albums/{id}", () => contents);
  const show = () => render(AlbumOutput, { place: { id: "A2" }, backend, host, roots: { items: [], renew: () => {}, add: vi.fn() } });
  const names = () => screen.queryAllByTestId("album-picture").map(({ dataset }) => dataset["item"]);
  const { unmount } = show();
  await screen.findAllByTestId("album-picture");
  await host.press("Shift+f");
  await userEvent.selectOptions(await screen.findByTestId("filter-rating"), "4");
  expect(names()).toEqual(["rated.jpg"]);
  expect(host.statusItems[0]?.text).toBe("1 of 2 pictures");
  unmount();
  show();
  await screen.findAllByTestId("album-picture");
  expect(names()).toEqual(["rated.jpg"]);
  await userEvent.selectOptions(screen.getByTestId("filter-has-caption"), "true");
  expect(names()).toEqual([]);
  await userEvent.click(screen.getByTestId("album-unfilter"));
  expect(names()).toEqual(["rated.jpg", "captioned.jpg"]);
});

it("prints and exports the same pictures", async () => {
  await open();
  await host.act("print-pictures");
  const pages = await screen.findByTestId("print-dialog");
  const addresses = [...pages.querySelectorAll("img")].map((img) => new URL(img.src).searchParams);
  expect(addresses.map((query) => `${query.get("root")}/${query.get("path")}`)).toEqual(["R1/2026/a.jpg"]);
  expect(screen.getByTestId("print-pages").textContent).toBe("2 pages");
  await userEvent.keyboard("{Escape}");
  await host.act("export-pictures");
  expect(await screen.findByRole("dialog", { name: /2 pictures/ })).toBeDefined();
});
