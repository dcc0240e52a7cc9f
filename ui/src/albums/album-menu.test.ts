import { beforeEach, expect, it, vi } from "vitest";
import type { AlbumInfo } from "../api/albums";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import { AlbumMenu } from "./album-menu.svelte";

let backend: FakeBackend;
let host: StubHost;
let menu: AlbumMenu;

const album: AlbumInfo = { id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-01T00:00:00Z", count: 2 };
const ids = () => host.menu?.actions.map(({ id }) => id);

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  menu = new AlbumMenu(backend, host);
});

it("an album is opened, renamed, deleted with undo", async () => {
  menu.show(album, { x: 1, y: 2 });
  expect(host.menu?.label).toBe("Actions for the album 旅");
  expect(ids()).toEqual(["album-open", "album-tab", "album-beside", "album-rename", "album-copy", "album-delete"]);
  host.choose("album-tab");
  expect(host.opened).toEqual(["tab /albums/A1"]);
  const change = vi.spyOn(backend.albums, "change").mockResolvedValue(album);
  host.choose("album-rename");
  await menu.rename("Trips");
  expect(change).toHaveBeenCalledExactlyOnceWith("A1", { name: "Trips" });
  const remove = vi.spyOn(backend.albums, "remove").mockResolvedValue();
  const restore = vi.spyOn(backend.albums, "restore").mockResolvedValue(album);
  host.choose("album-delete");
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(remove).toHaveBeenCalledExactlyOnceWith("A1");
  await host.open[0]?.options.undo?.();
  expect(restore).toHaveBeenCalledExactlyOnceWith("A1");
});

it("the favourites keep their name", () => {
  menu.show({ ...album, is_favourites: true }, { x: 1, y: 2 });
  expect(ids()).not.toContain("album-rename");
});
