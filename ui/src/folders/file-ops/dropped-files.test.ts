// Pictures that are dropped on a folder of the tree.
import { createEvent, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath, type EncodedPath } from "../../api/names";
import { PICTURES_TYPE } from "../../editing/files/picture-transfer";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { Roots } from "../roots/roots.svelte";
import FolderTree from "../tree/FolderTree.svelte";

let backend: FakeBackend;
let host: StubHost;
const picture = (name: string): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z" });
const dragged = (...paths: string[]) => {
  const pictures = JSON.stringify(paths.map((path) => ({ root: "R1", path, name: path })));
  return { dataTransfer: { types: [PICTURES_TYPE], dropEffect: "none", getData: (type: string) => (type === PICTURES_TYPE ? pictures : "") } };
};

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  backend.rootsNow = ["R1", "R2"].map((id) => ({ id, name: `Photos ${id}`, path: `/${id}`, available: true }));
  backend.entries = [picture("a.jpg")];
  backend.filesDone = { operation: "O1", done: 1, skipped: 0, failed: [] };
});

async function open() {
  const place = placeOf("/pictures/R1/Kyoto");
  openPictures({ place, backend, host });
  render(FolderTree, { backend, roots: new Roots(backend), place, host: host as never, onadd: () => {} });
  await screen.findAllByTestId("cell");
  await waitFor(() => expect(row("R2/")).toBeDefined());
}

const row = (id: string) => screen.getAllByTestId("tree-item").find(({ dataset }) => dataset["id"] === id) as HTMLElement;
const place = (root: string, path: string): { root: string; path: EncodedPath } => ({ root, path: canonicalPath(path) });

it("are moved with a message", async () => {
  await open();
  await fireEvent.dragOver(row("R2/"), dragged("Kyoto/a.jpg"));
  expect(row("R2/").classList).toContain("over");
  await fireEvent.drop(row("R2/"), dragged("Kyoto/a.jpg"));
  await waitFor(() => expect(host.toasts).toEqual(["Moved “a.jpg” to “Photos R2”"]));
  expect(backend.files.move.mock.lastCall?.slice(0, 2)).toEqual([[place("R1", "Kyoto/a.jpg")], { ...place("R2", ""), name: "Photos R2" }]);
  expect(row("R2/").classList).not.toContain("over");
});

it("are copied with Ctrl", async () => {
  await open();
  const drop = createEvent.drop(row("R2/"), dragged("Kyoto/%FF.jpg", "b.jpg"));
  // The test's events of drags have no keys.
  Object.defineProperty(drop, "ctrlKey", { value: true });
  await fireEvent(row("R2/"), drop);
  await waitFor(() => expect(backend.files.copy).toHaveBeenCalledOnce());
  expect(backend.files.copy.mock.lastCall?.[0]).toEqual([place("R1", "Kyoto/%FF.jpg"), place("R1", "b.jpg")]);
  expect(backend.files.move).not.toHaveBeenCalled();
});

it("a row is accepted as soon as it is entered", async () => {
  await open();
  const event = createEvent.dragEnter(row("R2/"), dragged("Kyoto/a.jpg"));
  await fireEvent(row("R2/"), event);
  expect(event.defaultPrevented).toBe(true);
  expect(row("R2/").classList).toContain("over");
  // To a part of the same row.
  vi.spyOn(row("R2/"), "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 100, 28));
  await fireEvent(row("R2/"), leaveAt(50, 10));
  expect(row("R2/").classList).toContain("over");
  await fireEvent(row("R2/"), leaveAt(50, 28));
  expect(row("R2/").classList).not.toContain("over");
});

const leaveAt = (clientX: number, clientY: number) => Object.assign(new Event("dragleave", { bubbles: true }), { clientX, clientY });

it.each([
  ["copy", "move"],
  ["copyMove", "copy"],
  ["move", "copy"],
] as const)("the window knows a key by the allowed effect %s", async (effectAllowed, other) => {
  backend.desktop = fakeDesktop();
  await open();
  const { dataTransfer } = dragged("Kyoto/a.jpg");
  const event = createEvent.drop(row("R2/"), { dataTransfer: { ...dataTransfer, effectAllowed } });
  // WebKitGTK reports the keys of an earlier event.
  Object.defineProperty(event, "ctrlKey", { value: true });
  await fireEvent(row("R2/"), event);
  const wanted = other === "move" ? "copy" : "move";
  await waitFor(() => expect(backend.files[wanted]).toHaveBeenCalledOnce());
  expect(backend.files[other]).not.toHaveBeenCalled();
});

it("nothing else is accepted", async () => {
  await open();
  await fireEvent.drop(row("R2/"), { dataTransfer: { types: ["Files"], getData: () => "" } });
  expect(backend.files.move).not.toHaveBeenCalled();
});
