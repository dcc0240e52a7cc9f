// A cell belongs to one entry: its image and its focus never pass to another file, however the cells move.
import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { encodeName } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { cellSections } from "./grid-cells";
import { gridShape } from "./grid-geometry";
import { drawnSections } from "./grid-sections";
import { CHUNK_SIZE } from "../listing/chunks";

const entry = (name: string): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const many = (count: number) => Array.from({ length: count }, (_, at) => entry(`${String(at).padStart(4, "0")}.jpg`));

let backend: FakeBackend;
/** A separate folder for each test, as positions in folders are remembered. */
let folder: string;
let tests = 0;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  folder = `cells-${(tests += 1)}`;
});

async function open(entries: FolderEntry[]) {
  backend.entries = entries;
  const view = openPictures({ place: placeOf(`/pictures/R1/${folder}`), backend });
  await screen.findAllByTestId("cell");
  return view;
}

const cells = () => screen.getAllByTestId("cell");
const cell = (name: string) => cells().find((one) => one.dataset["name"] === name) as HTMLElement;
const focused = () => document.activeElement?.getAttribute("data-name");
const reached = () => document.querySelector<HTMLElement>("[role=gridcell][tabindex='0']")?.dataset["name"];
const columns = () => Number(screen.getByRole("grid").getAttribute("aria-colcount"));
const images = () => new Map(cells().map((one) => [one.dataset["name"], one.querySelector("img")]));

/** Thumbnails never load in this document, so the image of each cell must be its own. */
function expectOwnImages() {
  for (const one of cells()) expect(one.querySelector("img")?.getAttribute("src")).toContain(encodeName({ name: one.dataset["name"] ?? "" }));
}

it("cells keep their files when columns change", async () => {
  const view = await open(many(60));
  cell("0013.jpg").focus();
  const before = images();
  const columnsBefore = columns();
  for (const thumbnailSize of [240, 96, 160]) {
    await view.rerender({ thumbnailSize });
    await waitFor(() => expect(columns() === columnsBefore).toBe(thumbnailSize === 160));
    expectOwnImages();
    expect(focused()).toBe("0013.jpg");
    expect(reached()).toBe("0013.jpg");
    const now = images();
    for (const name of ["0000.jpg", "0013.jpg"]) expect(now.get(name)).toBe(before.get(name));
  }
});

it("cells keep their files when entries are added", async () => {
  await open(many(20));
  cell("0003.jpg").focus();
  const before = images().get("0003.jpg");
  backend.entries = [entry("0000 a.jpg"), ...many(20)];
  backend.emit("folder.changed", { root: "R1", path: folder });
  await waitFor(() => expect(cells()).toHaveLength(21));
  expectOwnImages();
  expect([focused(), reached()]).toEqual(["0003.jpg", "0003.jpg"]);
  expect(images().get("0003.jpg")).toBe(before);
});

it("the focus survives a late entry", async () => {
  await open(many(2 * CHUNK_SIZE));
  let arrive = () => {};
  const late = new Promise<void>((resolve) => (arrive = resolve));
  backend.on("GET /api/folders", async (_, next) => {
    await late;
    return next();
  });
  cell("0000.jpg").focus();
  await userEvent.keyboard("{End}");
  await waitFor(() => expect(document.activeElement?.getAttribute("data-index")).toBe(`${2 * CHUNK_SIZE - 1}`));
  expect(focused()).toBeNull();
  arrive();
  await waitFor(() => expect(focused()).toBe(many(2 * CHUNK_SIZE).at(-1)?.name));
});

it("rows own the cells that are in them", async () => {
  await open(many(20));
  const rows = [...document.querySelectorAll("[role=row][aria-rowindex]")];
  const owned = rows.map((row) => row.getAttribute("aria-owns")?.split(" ").map((id) => document.getElementById(id)?.dataset["name"]));
  expect(owned.flat()).toEqual(many(20).map(({ name }) => name));
  expect(new Set(owned.slice(0, -1).map((names) => names?.length))).toEqual(new Set([columns()]));
});

it("a repeated name has two cells", () => {
  const shape = gridShape(1_000, 160, 3);
  const twins = [entry("a.jpg"), entry("b.jpg"), entry("a.jpg")];
  const [section] = cellSections()(shape, drawnSections(shape, [0]), (index) => twins[index]);
  expect(new Set(section?.cells.map(({ key }) => key)).size).toBe(3);
});
