import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { showPictureMenu } from "./picture-menu";

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.desktop = fakeDesktop();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  host = new StubHost();
});

const entry: FolderEntry = { name: "a b.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", folder: "2026/夏" };
const place = { root: "R1", path: "2026/夏/a b.jpg" };
const show = (more: Partial<FolderEntry> = {}, own: Parameters<typeof showPictureMenu>[3] = []) =>
  showPictureMenu({ folder: { root: "R1", path: canonicalPath("") }, entry: { ...entry, ...more }, address: "/pictures/R1/x" }, { backend, host }, { x: 1, y: 2 }, own);
const ids = () => host.menu?.actions.map(({ id }) => id);

it("a picture opens here, elsewhere, or its folder", () => {
  show({}, [{ id: "own", label: "Own", run: () => {} }]);
  expect(host.menu?.label).toBe("Actions for a b.jpg");
  expect(ids()?.slice(0, 5)).toEqual(["own", "picture-open", "picture-tab", "picture-beside", "picture-folder"]);
  host.choose("picture-open");
  host.choose("picture-tab");
  host.choose("picture-folder");
  expect(host.opened).toEqual(["tab /pictures/R1/x"]);
  expect(host.visited).toEqual(["/pictures/R1/x", `/pictures/R1/2026/${encodeURI("夏")}`]);
});

it("a picture is rated, and its rating removed", async () => {
  backend.entries = [entry];
  show();
  expect(ids()).not.toContain("picture-unrate");
  host.choose("picture-rate-4");
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(backend.sent("POST /api/files/marks")[0]?.body).toMatchObject({ items: [place], rating: 4 });
  expect(host.undos).toHaveLength(1);
  show({ rating: 4 });
  host.choose("picture-unrate");
  await vi.waitFor(() => expect(backend.sent("POST /api/files/marks")).toHaveLength(2));
});

it("a picture becomes a favourite", async () => {
  const album = { id: "A1", name: "Favourites", is_favourites: true, created_at: "2026-11-01T00:00:00Z", count: 1 };
  backend.on("POST /api/albums/favourites", () => ({ album, added: 1 }));
  show();
  host.choose("picture-favourite");
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(backend.sent("POST /api/albums/favourites")[0]?.body).toMatchObject({ items: [place] });
});

it("a picture is shown in the file manager", async () => {
  show();
  host.choose("picture-reveal");
  await vi.waitFor(() => expect(backend.desktop?.reveal).toHaveBeenCalledExactlyOnceWith(place));
});
