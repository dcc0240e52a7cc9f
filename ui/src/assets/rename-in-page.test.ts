import { expect, it } from "vitest";
import { FakeServer } from "../testing/fake-server";
import { fakeAsset } from "../testing/fake-assets";
import { renameInPage, undoRename } from "./rename-in-page";

const ASSET = fakeAsset("deer.jpg", { id: "A1" });

function openPage(text: string) {
  const server = new FakeServer();
  let name = ASSET.file_name;
  server.on("PATCH /api/assets/{asset_id}", ({ body }) => ({ ...ASSET, file_name: (name = body.file_name) }));
  return { server, page: server.add("/garden", text), nameOf: () => name };
}

it("changes the text that names the file", async () => {
  const { server, page, nameOf } = openPage("![](asset:deer.jpg)");
  const renamed = await renameInPage(server.backend, page, ASSET, "stag.jpg");
  expect([nameOf(), page.source?.text, page.source?.revision, page.token]).toEqual(["stag.jpg", "![](asset:stag.jpg)", 2, null]);
  await undoRename(server.backend, page, renamed, "deer.jpg");
  expect([nameOf(), page.source?.text, page.source?.revision, page.token]).toEqual(["deer.jpg", "![](asset:deer.jpg)", 3, null]);
});

it("keeps later changes when it is undone", async () => {
  const { server, page } = openPage("![](asset:deer.jpg)");
  const renamed = await renameInPage(server.backend, page, ASSET, "stag.jpg");
  server.overwrite(page, "![](asset:stag.jpg) more", "Ben");
  await undoRename(server.backend, page, renamed, "deer.jpg");
  expect(page.source?.text).toBe("![](asset:deer.jpg) more");
});

it("makes no revision of another text", async () => {
  const { server, page, nameOf } = openPage("deer.jpg");
  await renameInPage(server.backend, page, ASSET, "stag.jpg");
  expect([nameOf(), page.source?.revision]).toEqual(["stag.jpg", 1]);
});

it("does nothing while another user edits the page", async () => {
  const { server, page, nameOf } = openPage("![](asset:deer.jpg)");
  await server.backend.locks.acquire(page.id);
  await expect(renameInPage(server.backend, page, ASSET, "stag.jpg")).rejects.toMatchObject({ code: "locked" });
  expect([nameOf(), page.source?.revision]).toEqual(["deer.jpg", 1]);
});
