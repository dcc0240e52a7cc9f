import { beforeEach, expect, it, vi } from "vitest";
import { canonicalPath, ROOT_PATH } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { Roots } from "../roots/roots.svelte";
import { showFolderRowMenu } from "./folder-row-menu";

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  host = new StubHost();
});

const show = (path: string) =>
  showFolderRowMenu({ root: "R1", path: path === "" ? ROOT_PATH : canonicalPath(path) }, path === "" ? "Photos" : path, { backend, roots: new Roots(backend), host }, { x: 1, y: 2 });
const ids = () => host.menu?.actions.map(({ id }) => id);

it("a folder is opened here, elsewhere, or outside", async () => {
  backend.desktop = fakeDesktop();
  show("夏");
  expect(host.menu?.label).toBe("Actions for the folder 夏");
  expect(ids()).toEqual(["folder-open", "folder-tab", "folder-beside", "folder-copy-path", "folder-reveal"]);
  host.choose("folder-tab");
  host.choose("folder-beside");
  const address = `/pictures/R1/${encodeURI("夏")}`;
  expect(host.opened).toEqual([`tab ${address}`, `beside ${address}`]);
  host.choose("folder-open");
  await vi.waitFor(() => expect(host.visited).toEqual([address]));
});

it("an opened folder is removed after a question", async () => {
  show("");
  expect(ids()?.at(-1)).toBe("folder-forget");
  const remove = vi.spyOn(backend.roots, "remove").mockResolvedValue();
  const confirm = vi.spyOn(host, "confirm").mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  host.choose("folder-forget");
  await vi.waitFor(() => expect(confirm).toHaveBeenCalledTimes(1));
  expect(remove).not.toHaveBeenCalled();
  host.choose("folder-forget");
  await vi.waitFor(() => expect(remove).toHaveBeenCalledExactlyOnceWith("R1"));
});
