// A folder on the screen before all its names are there.
import { render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../api/backend";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import { FolderRoom } from ".";
import { type FolderPlace, parsePicturesAddress } from "./address";
import { Roots } from "./roots.svelte";

let backend: FakeBackend;
/** Another folder in each test: what is remembered outlives them. */
let folder: string;
let tests = 0;
const entry = (name: string): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.growing = true;
  folder = `/pictures/R1/growing-${(tests += 1)}`;
});

function placeOf(address: string): FolderPlace {
  const place = parsePicturesAddress(new URL(address, "http://x"));
  if (place === null) throw new Error(`${address} is no address of pictures`);
  return place;
}

function open(address = folder) {
  return render(FolderRoom, {
    place: placeOf(address),
    backend,
    host: new StubHost(),
    roots: new Roots(backend),
    order: { sort: "name", order: "asc" },
    onorder: vi.fn(),
    grouping: "none",
    ongrouping: vi.fn(),
    thumbnailSize: 160,
    onthumbnailsize: vi.fn(),
  });
}

/** All names are there. */
function grow(entries: FolderEntry[]) {
  const of = backend.reading;
  [backend.entries, backend.reading, backend.growing] = [entries, `${of}+`, false];
  backend.emit("folder.listed", { root: "R1", path: "", listing: of });
}

const names = () => screen.queryAllByTestId("cell").map((cell) => cell.dataset["name"]);

it("says that it holds nothing, or nothing of what is looked for, only once all are there", async () => {
  open(`${folder}?filter=zebra`);
  await waitFor(() => expect(backend.folders.list).toHaveBeenCalled());
  await screen.findByTestId("skeleton");
  expect(screen.queryByTestId("folder-none")).toBeNull();
  grow([]);
  expect(await screen.findByTestId("folder-none")).toBeDefined();
});

it("shows what is found after all", async () => {
  open(`${folder}?filter=zebra`);
  await screen.findByTestId("skeleton");
  grow([entry("zebra.jpg")]);
  await waitFor(() => expect(names()).toEqual(["zebra.jpg"]));
});

it("says that a picture has gone only once all names are there", async () => {
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

it("says that a picture has gone that is not among all names", async () => {
  backend.entries = [entry("a.jpg")];
  const view = open();
  await waitFor(() => expect(names()).toEqual(["a.jpg"]));
  await view.rerender({ place: placeOf(`${folder}?view=b.jpg`) });
  grow([entry("a.jpg"), entry("c.jpg")]);
  expect(await screen.findByTestId("picture-gone")).toBeDefined();
});
