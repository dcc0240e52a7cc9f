import { beforeEach, expect, it } from "vitest";
import { page } from "../../testing/fake-backend";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";

let backend: FakeBackend;
let app: App;

beforeEach(() => {
  backend = new FakeBackend();
  backend.pagesNow = [page("/a", 1), page("/b", 2)];
  app = new App(backend);
});

const pinned = () => app.pins.pages.map(({ path }) => path);
const idOf = (path: string) => backend.pagesNow.find((one) => one.path === path)?.page_id ?? "";

it("pages are pinned and unpinned", async () => {
  await app.pins.read();
  await app.pins.toggle(idOf("/b"));
  await app.pins.toggle(idOf("/a"));
  expect([pinned(), app.pins.has(idOf("/a"))]).toEqual([["/b", "/a"], true]);
  await app.pins.toggle(idOf("/b"));
  expect([pinned(), app.pins.has(idOf("/b"))]).toEqual([["/a"], false]);
});

it("a deleted page no longer appears pinned", async () => {
  await app.pins.toggle(idOf("/a"));
  const [gone] = backend.pagesNow.splice(0, 1);
  backend.emit("page.changed", { page_id: gone?.page_id ?? "", path: "/a", revision: 1, kind: "deleted" });
  await expect.poll(pinned).toEqual([]);
});

it("pins of another window appear", async () => {
  await app.pins.read();
  await backend.users.pin(idOf("/a"));
  expect(pinned()).toEqual([]);
  backend.emit("settings.changed", {});
  await expect.poll(pinned).toEqual(["/a"]);
});
