import { beforeEach, expect, it, vi } from "vitest";
import { canonicalPath, ROOT_PATH } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { Roots } from "../roots/roots.svelte";
import { FolderRowActions } from "./folder-row-actions.svelte";
import { showFolderRowMenu } from "./folder-row-menu";

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  host = new StubHost();
});

const onjob = vi.fn();

const show = (path: string, shown = "") => {
  const roots = new Roots(backend);
  const actions = new FolderRowActions({ backend, host, shown: () => ({ root: "R1", path: canonicalPath(shown), view: null }), onjob });
  showFolderRowMenu({ root: "R1", path: path === "" ? ROOT_PATH : canonicalPath(path) }, path === "" ? "Photos" : path, { backend, roots, actions, host }, { x: 1, y: 2 });
  return actions;
};
const ids = () => host.menu?.actions.map(({ id }) => id);

it("a folder is opened here, elsewhere, or outside", async () => {
  backend.desktop = fakeDesktop();
  show("夏");
  expect(host.menu?.label).toBe("Actions for the folder 夏");
  expect(ids()).toEqual(["folder-open", "folder-tab", "folder-beside", "folder-new", "folder-copy-path", "folder-reveal", "folder-rename", "folder-move", "folder-copy", "folder-verify", "folder-record", "folder-duplicates", "folder-bin"]);
  host.choose("folder-tab");
  host.choose("folder-beside");
  const address = `/pictures/R1/${encodeURI("夏")}`;
  expect(host.opened).toEqual([`tab ${address}`, `beside ${address}`]);
  host.choose("folder-open");
  await vi.waitFor(() => expect(host.visited).toEqual([address]));
});

it("an opened folder is removed after a question", async () => {
  show("");
  expect(ids()).not.toContain("folder-rename");
  expect(ids()?.at(-1)).toBe("folder-forget");
  const remove = vi.spyOn(backend.roots, "remove").mockResolvedValue();
  const confirm = vi.spyOn(host, "confirm").mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  host.choose("folder-forget");
  await vi.waitFor(() => expect(confirm).toHaveBeenCalledTimes(1));
  expect(remove).not.toHaveBeenCalled();
  host.choose("folder-forget");
  await vi.waitFor(() => expect(remove).toHaveBeenCalledExactlyOnceWith("R1"));
});

it("a new folder is made inside, and undone", async () => {
  const actions = show("夏");
  host.choose("folder-new");
  const parent = { root: "R1", path: canonicalPath("夏"), name: "夏" };
  expect(actions.files.dialog).toEqual({ kind: "new-folder", parent });
  await actions.files.createFolder(parent, "京都");
  expect(backend.folders.create).toHaveBeenCalledExactlyOnceWith(parent, "京都");
  expect(actions.files.dialog).toBeNull();
  expect(host.toasts).toEqual(["Created the folder “京都”"]);
  await host.open[0]?.options.undo?.();
  expect(backend.sent("POST /api/files/bin")[0]?.body).toEqual({ items: [{ root: "R1", path: "夏/京都" }] });
});

it("a renamed folder that is shown is followed", async () => {
  const actions = show("2026/夏", "2026/夏/京都");
  host.choose("folder-rename");
  await vi.waitFor(() => expect(actions.files.dialog?.kind).toBe("rename"));
  const { dialog } = actions.files;
  if (dialog?.kind !== "rename") throw new Error("no dialog");
  const [entry] = dialog.chosen.entries;
  expect(entry).toMatchObject({ name: "夏", kind: "folder" });
  if (entry) await actions.files.rename(dialog.chosen.folder, [{ from: entry, to: "Summer" }]);
  expect(host.visited).toEqual([`/pictures/R1/2026/Summer/${encodeURI("京都")}`]);
});

it("a deleted folder that is shown is left", async () => {
  show("2026/a", "2026/a/b");
  host.choose("folder-bin");
  await vi.waitFor(() => expect(host.visited).toEqual(["/pictures/R1/2026"]));
  expect(backend.sent("POST /api/files/bin")[0]?.body).toEqual({ items: [{ root: "R1", path: "2026/a" }] });
});

it("a moved folder that is shown is followed", async () => {
  const actions = show("2026/a", "2026/a");
  host.choose("folder-move");
  await vi.waitFor(() => expect(actions.files.dialog?.kind).toBe("target"));
  const { dialog } = actions.files;
  if (dialog?.kind !== "target") throw new Error("no dialog");
  await actions.moved(dialog.chosen, { root: "R2", path: canonicalPath("old"), name: "old" });
  expect(host.visited).toEqual(["/pictures/R2/old/a"]);
});

it("its records are verified and made", async () => {
  const verify = vi.spyOn(backend.hashes, "verify").mockResolvedValue("J1");
  const record = vi.spyOn(backend.hashes, "record").mockResolvedValue("J2");
  show("夏");
  host.choose("folder-verify");
  host.choose("folder-record");
  await vi.waitFor(() => expect(onjob).toHaveBeenCalledTimes(2));
  expect(verify).toHaveBeenCalledExactlyOnceWith({ place: { root: "R1", path: canonicalPath("夏") } });
  expect(record).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: canonicalPath("夏") });
});
