// Actions that involve other programs: paths, the file manager, the programs that open pictures.
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath, ROOT_PATH } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { externalMenu } from "./file-menu";
import { ExternalActions } from "./external-actions";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", ...more });
const NOT_TEXT = entry("caf\uFFFD.jpg", { name_bytes: btoa("caf\xE9.jpg") });

let backend: FakeBackend;
let host: StubHost;
let targets: FolderEntry[];
let currentFolder = { root: "R1", path: canonicalPath("夏") };
let outward: ExternalActions;
const writeText = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.desktop = fakeDesktop();
  host = new StubHost();
  targets = [entry("a b.jpg"), entry("c.jpg")];
  currentFolder = { root: "R1", path: canonicalPath("夏") };
  outward = new ExternalActions(backend, host, { folder: () => currentFolder, targets: () => Promise.resolve(targets) });
  writeText.mockReset().mockResolvedValue();
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  return () => vi.unstubAllGlobals();
});

it("copies whole paths, a line each", async () => {
  await outward.copyPath();
  expect(writeText).toHaveBeenCalledExactlyOnceWith("/photos/夏/a b.jpg\n/photos/夏/c.jpg");
  expect(host.toasts.at(-1)).toBe("Copied 2 paths, one per line");
});

it.each([
  ["of the folder without targets", "夏", "/photos", "/photos/夏"],
  ["of the folder that was opened", "", "/photos", "/photos"],
  ["beneath the whole machine", "夏", "/", "/夏"],
])("copies the path %s", async (_what, path, root, expected) => {
  targets = [];
  currentFolder = { root: "R1", path: canonicalPath(path) };
  backend.rootsNow = [{ id: "R1", name: "Photos", path: root, available: true }];
  await outward.copyPath();
  expect(writeText).toHaveBeenCalledExactlyOnceWith(expected);
  expect(host.toasts.at(-1)).toBe(`Copied: ${expected}`);
});

it.each([["no text", NOT_TEXT], ["more than a line", entry("a\nb.jpg")]])("copies nothing of a name that is %s", async (_what, odd) => {
  targets = [entry("a.jpg"), odd];
  await outward.copyPath();
  expect(writeText).not.toHaveBeenCalled();
  expect(host.toasts.at(-1)).toMatch("Couldn’t copy the path");
});

it.each([["a file", "夏", [entry("a.jpg")]], ["the folder that was opened", "", []]])("does not copy %s with an unreadable path", async (_what, path, of) => {
  targets = of;
  currentFolder = { root: "R1", path: canonicalPath(path) };
  backend.rootsNow = [{ id: "R1", name: "caf\uFFFD", path: "/caf\uFFFD", path_bytes: btoa("/caf\xE9"), available: true }];
  await outward.copyPath();
  expect(writeText).not.toHaveBeenCalled();
  expect(host.toasts).toEqual(["Couldn’t copy the path: a name contains characters that can’t be written as text."]);
});

it("reports a refusal of the clipboard", async () => {
  writeText.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
  await outward.copyPath();
  expect(host.toasts).toEqual(["Couldn’t copy."]);
});

it("reveals the first entry or the folder", async () => {
  const reveal = vi.spyOn(backend.desktop!, "reveal");
  await outward.reveal();
  expect(reveal).toHaveBeenLastCalledWith({ root: "R1", path: "夏/a b.jpg" });
  targets = [NOT_TEXT];
  currentFolder = { root: "R1", path: ROOT_PATH };
  await outward.reveal();
  expect(reveal).toHaveBeenLastCalledWith({ root: "R1", path_bytes: btoa("caf\xE9.jpg") });
  targets = [];
  await outward.reveal();
  expect(reveal).toHaveBeenLastCalledWith({ root: "R1", path: "" });
});

it("opens a limited number of pictures only", async () => {
  const open = vi.spyOn(backend.desktop!, "openPicture");
  targets = [entry("a.jpg"), entry("inner", { kind: "folder" }), entry("note.txt", { kind: "other" })];
  await outward.open();
  expect(open).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: "夏/a.jpg" });
  targets = [entry("note.txt", { kind: "other" })];
  await outward.open();
  targets = Array.from({ length: 11 }, (_, at) => entry(`${at}.jpg`));
  await outward.open();
  expect(open).toHaveBeenCalledTimes(1);
  expect(host.toasts).toEqual([
    "Select one or more pictures to open with another app.",
    "You can open at most 10 pictures at once with another app.",
  ]);
});

it("explains why a picture is not opened", async () => {
  vi.spyOn(backend.desktop!, "openPicture").mockRejectedValueOnce(new ApiError("not_found", 404, ""));
  await outward.open();
  expect(host.toasts).toHaveLength(1);
});

it("a browser copies only the path", () => {
  expect(externalMenu(outward).map(({ id }) => id)).toEqual(["copy-path", "reveal", "open-with"]);
  backend.desktop = null;
  expect(externalMenu(outward).map(({ id }) => id)).toEqual(["copy-path"]);
});
