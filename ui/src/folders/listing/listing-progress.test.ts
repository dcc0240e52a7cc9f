// A folder on the screen before all of its names were read.
import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";

let backend: FakeBackend;
/** A separate folder for each test, as remembered positions outlive a test. */
let folder: string;
let tests = 0;
const entry = (name: string): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.growing = true;
  folder = `/pictures/R1/growing-${(tests += 1)}`;
});

function open(address = folder) {
  return openPictures({ place: placeOf(address), backend });
}

/** Completes the names. */
function grow(entries: FolderEntry[]) {
  const of = backend.reading;
  [backend.entries, backend.reading, backend.growing] = [entries, `${of}+`, false];
  backend.emit("folder.listed", { root: "R1", path: "", listing: of });
}

const reached = () => document.querySelector<HTMLElement>("[role=gridcell][tabindex='0']")?.dataset["name"];
const names = () => screen.queryAllByTestId("cell").map((cell) => cell.dataset["name"]);

it("emptiness is reported once complete", async () => {
  open(`${folder}?filter=zebra`);
  await waitFor(() => expect(backend.folders.list).toHaveBeenCalled());
  await screen.findByTestId("skeleton");
  expect(screen.queryByTestId("folder-none")).toBeNull();
  grow([]);
  expect(await screen.findByTestId("folder-none")).toBeDefined();
});

it("shows late results", async () => {
  open(`${folder}?filter=zebra`);
  await screen.findByTestId("skeleton");
  grow([entry("zebra.jpg")]);
  await waitFor(() => expect(names()).toEqual(["zebra.jpg"]));
});

it("a missing picture is reported once complete", async () => {
  backend.entries = [entry("a.jpg")];
  const view = open();
  await waitFor(() => expect(names()).toEqual(["a.jpg"]));
  backend.folders.list.mockClear();
  await view.rerender({ place: placeOf(`${folder}?view=b.jpg`) });
  await waitFor(() => expect(backend.folders.list).toHaveBeenCalledOnce());
  await backend.folders.list.mock.results[0]?.value;
  await waitFor(() => expect(names()).toEqual(["a.jpg"]));
  expect(screen.queryByTestId("picture-gone")).toBeNull();
  grow([entry("a.jpg"), entry("b.jpg")]);
  expect(await screen.findByTestId("viewer")).toBeDefined();
});

it("a picture outside the listing is missing", async () => {
  backend.entries = [entry("a.jpg")];
  const view = open();
  await waitFor(() => expect(names()).toEqual(["a.jpg"]));
  await view.rerender({ place: placeOf(`${folder}?view=b.jpg`) });
  grow([entry("a.jpg"), entry("c.jpg")]);
  expect(await screen.findByTestId("picture-gone")).toBeDefined();
});

it("the first entry keeps the focus", async () => {
  backend.entries = ["m.jpg", "n.jpg"].map(entry);
  open();
  await waitFor(() => expect(reached()).toBe("m.jpg"));
  grow(["a.jpg", "m.jpg", "n.jpg"].map(entry));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(reached()).toBe("a.jpg");
});

it("a moved focus stays on its picture", async () => {
  backend.entries = ["m.jpg", "n.jpg"].map(entry);
  open();
  await waitFor(() => expect(reached()).toBe("m.jpg"));
  const [first] = screen.getAllByTestId("cell");
  if (first) await userEvent.click(first);
  grow(["a.jpg", "m.jpg", "n.jpg"].map(entry));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(reached()).toBe("m.jpg");
});
