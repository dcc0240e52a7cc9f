// Drops on a folder, of the tree or shown: pictures, and files of other programs.
import { createEvent, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath, type EncodedPath } from "../../api/names";
import { PICTURES_TYPE } from "../../editing/files/picture-transfer";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { Roots } from "../roots/roots.svelte";
import { receiveFiles } from "../entries/dropped-files";
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
  render(FolderTree, { backend, roots: new Roots(backend), place, host: host as never, onadd: () => {}, targets: { recent: [], favourites: [] }, ontargets: () => {}, onjob: () => {} });
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

it("a row is accepted once it is entered", async () => {
  await open();
  const event = createEvent.dragEnter(row("R2/"), dragged("Kyoto/a.jpg"));
  await fireEvent(row("R2/"), event);
  expect(event.defaultPrevented).toBe(true);
  expect(row("R2/").classList).toContain("over");
  const part = row("R2/").firstElementChild as Element;
  await fireEvent.dragEnter(part, dragged("Kyoto/a.jpg"));
  await fireEvent.dragLeave(row("R2/"));
  expect(row("R2/").classList).toContain("over");
  await fireEvent.dragLeave(part);
  expect(row("R2/").classList).not.toContain("over");
});

describe("on a folder among the pictures", () => {
  const cellOf = (name: string) => screen.getAllByTestId("cell").find((cell) => cell.dataset["name"] === name) as HTMLElement;

  it.each(["grid", "list"] as const)("go into it from a %s", async (kind) => {
    backend.entries = [{ ...picture("Temples"), kind: "folder" }, picture("a.jpg")];
    openPictures({ place: placeOf("/pictures/R1/Kyoto"), backend, host, layout: { kind, columns: ["size"] } });
    await screen.findAllByTestId("cell");
    const part = cellOf("Temples").firstElementChild as Element;
    await fireEvent.dragEnter(part, dragged("Kyoto/a.jpg"));
    expect(cellOf("Temples").classList).toContain("over");
    await fireEvent.dragOver(cellOf("a.jpg"), dragged("Kyoto/a.jpg"));
    expect(cellOf("Temples").classList).not.toContain("over");
    await fireEvent.drop(part, dragged("Kyoto/a.jpg"));
    await waitFor(() => expect(host.toasts).toEqual(["Moved “a.jpg” to “Temples”"]));
    expect(backend.files.move.mock.lastCall?.slice(0, 2)).toEqual([[place("R1", "Kyoto/a.jpg")], { ...place("R1", "Kyoto/Temples"), name: "Temples" }]);
    await fireEvent.drop(cellOf("a.jpg"), dragged("Kyoto/a.jpg"));
    expect(backend.files.move).toHaveBeenCalledOnce();
  });

  it("is marked until it is left", async () => {
    backend.entries = [{ ...picture("Temples"), kind: "folder" }];
    openPictures({ place: placeOf("/pictures/R1/Kyoto"), backend, host });
    await screen.findAllByTestId("cell");
    await fireEvent.dragEnter(cellOf("Temples"), dragged("a.jpg"));
    await fireEvent.dragLeave(cellOf("Temples"));
    expect(cellOf("Temples").classList).not.toContain("over");
  });

  it("files of other programs go into it", async () => {
    backend.desktop = fakeDesktop();
    backend.entries = [{ ...picture("Temples"), kind: "folder" }, picture("a.jpg")];
    await open();
    document.elementFromPoint = () => cellOf("Temples").firstElementChild;
    expect(receiveFiles({ grants: [{ grant: "G1", name: "new.jpg", size: 1, folder: false }], x: 1, y: 2, moves: false })).toBe(true);
    Reflect.deleteProperty(document, "elementFromPoint");
    expect(backend.files.receive).toHaveBeenLastCalledWith("copy", ["G1"], { ...place("R1", "Kyoto/Temples"), name: "Temples" }, "refuse");
  });
});

describe("in the window", () => {
  const granted = [{ grant: "G1", name: "new.jpg", size: 1, folder: false }];
  const dropAt = (element: Element, moves = false) => {
    document.elementFromPoint = () => element;
    return receiveFiles({ grants: granted, x: 1, y: 2, moves });
  };

  beforeEach(() => {
    backend.desktop = fakeDesktop();
  });
  afterEach(() => Reflect.deleteProperty(document, "elementFromPoint"));

  it.each([
    ["copy", "move"],
    ["copyMove", "copy"],
    ["move", "copy"],
  ] as const)("a key shows by the effect %s", async (effectAllowed, other) => {
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

  it("files go into a row or the folder", async () => {
    await open();
    expect(dropAt(row("R2/").firstElementChild as Element)).toBe(true);
    expect(backend.files.receive).toHaveBeenLastCalledWith("copy", ["G1"], { ...place("R2", ""), name: "Photos R2" }, "refuse");
    await waitFor(() => expect(host.toasts).toEqual(["Copied “new.jpg” to “Photos R2”"]));
    expect(dropAt(screen.getByTestId("grid"), true)).toBe(true);
    expect(backend.files.receive).toHaveBeenLastCalledWith("move", ["G1"], { ...place("R1", "Kyoto"), name: "Kyoto" }, "refuse");
    expect(dropAt(document.body)).toBe(false);
  });

  it.each([
    ["copyMove", "copy"],
    ["move", "move"],
  ])("files are accepted with the effects %s", async (effectAllowed, effect) => {
    await open();
    for (const element of [row("R2/"), screen.getByTestId("grid")]) {
      const dataTransfer = { types: ["text/uri-list"], effectAllowed, dropEffect: "none" };
      await fireEvent.dragEnter(element, { dataTransfer });
      expect(dataTransfer.dropEffect).toBe(effect);
    }
  });

  it("the user decides about names that are taken", async () => {
    await open();
    backend.filesDone = new ApiError("file_name_taken", 409, "", { names: ["new.jpg"], count: 1 });
    dropAt(screen.getByTestId("grid"));
    const replace = await screen.findByTestId("name-conflict-replace");
    backend.filesDone = { operation: "O1", done: 1, skipped: 0, failed: [] };
    await fireEvent.click(replace);
    await waitFor(() => expect(host.toasts).toEqual(["Copied “new.jpg” to “Kyoto”"]));
    expect(backend.files.receive.mock.lastCall?.[3]).toBe("replace");
  });
});

it("nothing else is accepted", async () => {
  await open();
  await fireEvent.drop(row("R2/"), { dataTransfer: { types: ["Files"], getData: () => "" } });
  expect(backend.files.move).not.toHaveBeenCalled();
});
