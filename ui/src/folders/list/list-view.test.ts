// A folder that is shown as a list.
import { screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import type { Order } from "../query/listing-query";
import type { FolderLayout } from "./columns";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: name.includes(".") ? "picture" : "folder", size: 2_048, mtime: "2026-11-20T00:00:00Z", ...more });
const list: FolderLayout = { kind: "list", columns: ["size", "rating"] };

let backend: FakeBackend;
let host: StubHost;
const onlayout = vi.fn<(layout: FolderLayout) => void>();
const onorder = vi.fn<(order: Order) => void>();
/** Another folder for each test: the view remembers positions. */
let tests = 0;

beforeEach(() => {
  vi.clearAllMocks();
  backend = new FakeBackend();
  host = new StubHost();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("more"), entry("a.jpg", { rating: 4 }), entry("b.jpg", { size: 3 }), entry("c.jpg")];
  tests += 1;
});

const open = (layout: FolderLayout) => openPictures({ place: placeOf(`/pictures/R1/list-${tests}`), backend, host, layout, onlayout, onorder });
const rows = async () => await screen.findAllByTestId("cell");
const selected = () => screen.getAllByRole("gridcell", { selected: true }).map((cell) => cell.dataset["name"]);

it("has a row with columns for each entry", async () => {
  open(list);
  const texts = (await rows()).map((row) => [...row.querySelectorAll("[data-column]")].map((value) => value.textContent.trim().replaceAll("\u00a0", " ")));
  expect(texts).toEqual([["", ""], ["2 KiB", expect.stringContaining("4 stars")], ["3 bytes", ""], ["2 KiB", ""]]);
  const tops = (await rows()).map((row) => Number.parseFloat(row.style.top));
  expect(tops.map((top) => top - (tops[0] ?? 0))).toEqual([0, 36, 72, 108]);
  expect(screen.getByRole("grid").getAttribute("aria-colcount")).toBe("1");
});

it("is sorted by its columns", async () => {
  open(list);
  await rows();
  const press = (sort: string) => userEvent.click(screen.getByTestId(`column-sort-${sort}`));
  await press("name");
  await press("size");
  await press("rating");
  expect(onorder.mock.calls.map(([order]) => order)).toEqual([
    { sort: "name", order: "desc" },
    { sort: "size", order: "asc" },
    { sort: "rating", order: "desc" },
  ]);
});

it("has the chosen columns", async () => {
  open(list);
  await rows();
  await userEvent.click(screen.getByTestId("columns"));
  const menu = screen.getByRole("menu");
  expect(within(menu).getAllByRole("menuitemcheckbox", { checked: true }).map((item) => item.textContent.trim())).toEqual(["Size", "Rating"]);
  await userEvent.click(within(menu).getByTestId("column-camera"));
  expect(onlayout).toHaveBeenLastCalledWith({ kind: "list", columns: ["size", "rating", "camera"] });
});

it("shares keys and selection with the grid", async () => {
  const { rerender } = open(list);
  await rows();
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset["name"]).toBe("more"));
  await userEvent.keyboard("{ArrowDown}{Shift>}{ArrowDown}{/Shift}");
  expect(selected()).toEqual(["a.jpg", "b.jpg"]);
  await host.press("Shift+v");
  expect(onlayout).toHaveBeenLastCalledWith({ kind: "grid", columns: list.columns });
  await rerender({ layout: { ...list, kind: "grid" } });
  expect(screen.queryByTestId("list-header")).toBeNull();
  expect(selected()).toEqual(["a.jpg", "b.jpg"]);
});

it("thumbnails are turned and cropped", async () => {
  backend.entries = [entry("a.jpg", { id: "A", turn: 6, crop: { x: 0.25, y: 0.5, width: 0.5, height: 1, angle: 2 } })];
  const view = open(list);
  const address = async () => new URL((await screen.findByTestId<HTMLImageElement>("thumb")).src, "http://x").searchParams;
  const inList = await address();
  expect([inList.get("turn"), inList.get("crop")]).toEqual(["6", "0.25,0.5,0.5,1,2"]);
  await view.rerender({ layout: { kind: "grid", columns: [] } });
  await waitFor(async () => expect((await address()).get("size")).not.toBe(inList.get("size")));
  expect((await address()).get("crop")).toBe(inList.get("crop"));
});
