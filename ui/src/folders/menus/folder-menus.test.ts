// The context menus of a folder, in the view.
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";

let host: StubHost;
let backend: FakeBackend;
/** A separate folder for each test: the view remembers positions. */
let tests = 0;
let path: string;

const entry = (name: string): FolderEntry => ({ name, kind: name.includes(".") ? "picture" : "folder", size: 1, mtime: "2026-11-20T00:00:00Z" });

async function open(view: string | null = null) {
  backend = new FakeBackend();
  backend.desktop = fakeDesktop();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = ["2026", "a.jpg", "b.jpg", "c.jpg"].map(entry);
  openPictures({ place: { root: "R1", path: canonicalPath(path), view: view === null ? null : canonicalPath(view) }, backend, host });
  if (view === null) await screen.findAllByTestId("cell");
  else await screen.findByTestId("viewer");
}

beforeEach(() => {
  host = new StubHost();
  path = `menus-${(tests += 1)}`;
});

const cell = (name: string) => screen.getAllByTestId("cell").find(({ dataset }) => dataset["name"] === name) as HTMLElement;
const selected = () => screen.getAllByTestId("cell").flatMap((one) => (one.ariaSelected === "true" ? [one.dataset["name"]] : []));
const ids = () => host.menu?.actions.map(({ id }) => id.replace(/^menu-/, ""));
const label = (expected: string) => waitFor(() => expect(host.menu?.label).toBe(expected));

it("a right click selects, and offers its actions", async () => {
  await open();
  await fireEvent.contextMenu(cell("b.jpg"));
  await label("Actions for b.jpg");
  expect(selected()).toEqual(["b.jpg"]);
  expect(ids()).toEqual(["entry-open", "entry-tab", "open-with", "marks", "dates", "describe", "rotate-right", "rotate-left", "flip-across", "flip-down", "uncrop", "album-add", "album-favourite", "files-rename", "files-move", "files-copy", "rotate-file", "export-pictures", "contact-sheet", "print-pictures", "insert-pictures", "copy-gallery", "copy-path", "reveal", "files-bin"]);
  host.choose("entry-open");
  await waitFor(() => expect(host.visited.at(-1)).toBe(`/pictures/R1/${path}?view=b.jpg`));
});

it("a menu within the selection is about all", async () => {
  await open();
  await userEvent.click(cell("a.jpg"));
  await userEvent.keyboard("{Shift>}{ArrowRight}{/Shift}");
  await waitFor(() => expect(selected()).toEqual(["a.jpg", "b.jpg"]));
  await fireEvent.keyDown(cell("b.jpg"), { key: "ContextMenu" });
  await label("Actions for 2 selected");
  expect(ids()?.slice(0, 2)).toEqual(["entry-compare", "open-with"]);
  expect(selected()).toEqual(["a.jpg", "b.jpg"]);
});

it("folders have only actions for folders", async () => {
  await open();
  await fireEvent.contextMenu(cell("2026"));
  await label("Actions for 2026");
  expect(ids()).toEqual(["entry-open", "entry-tab", "files-rename", "files-move", "files-copy", "copy-path", "reveal", "files-bin"]);
  host.choose("entry-tab");
  expect(host.opened).toEqual([`tab /pictures/R1/${path}/2026`]);
});

it("the space beside them is the folder", async () => {
  await open();
  await userEvent.click(cell("a.jpg"));
  await fireEvent.contextMenu(screen.getByTestId("grid"));
  await label(`Actions for the folder ${path}`);
  expect(selected()).toEqual([]);
  host.choose("menu-folder-new");
  const name = await screen.findByTestId("new-folder-name");
  await userEvent.type(name, ".a{Enter}");
  expect(backend.folders.create).not.toHaveBeenCalled();
  await userEvent.clear(name);
  await userEvent.type(name, "a b{Enter}");
  await waitFor(() => expect(screen.queryByTestId("new-folder-dialog")).toBeNull());
  expect(backend.folders.create).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: canonicalPath(path), name: path }, "a b");
  host.choose("folder-select-all");
  await waitFor(() => expect(selected()).toHaveLength(4));
});

it("the top bar's menu has groups", async () => {
  await open();
  await waitFor(() => expect(host.actions.length).toBeGreaterThan(20));
  const sorted = host.actions.filter(({ menu }) => menu).toSorted((a, b) => (a.group ?? 0) - (b.group ?? 0));
  const ends = sorted.flatMap(({ id, group }, at) => (group === sorted[at + 1]?.group ? [] : [id]));
  expect(ends).toEqual(["open-with", "album-favourite", "rotate-file", "copy-gallery", "reveal", "files-bin", "folder-new", "hash-record-folder", "find-duplicates", "picture-tags"]);
});

it("the viewer's menu is about its picture", async () => {
  await open("b.jpg");
  await fireEvent.keyDown(screen.getByTestId("viewer"), { key: "F10", shiftKey: true });
  await label("Actions for b.jpg");
  expect(ids()?.slice(0, 3)).toEqual(["viewer-info", "viewer-full", "open-with"]);
});

it("fields keep the menu of the system", async () => {
  await open();
  expect(await fireEvent.contextMenu(screen.getByRole("searchbox"))).toBe(true);
  expect(host.menu).toBeNull();
});
