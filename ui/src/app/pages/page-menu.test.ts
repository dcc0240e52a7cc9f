import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it } from "vitest";
import { FakeBackend, page } from "../../testing/fake-backend";
import { loadWiki } from "../../wiki/view";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

let stop = () => {};

// The loading time of the code is not tested.
beforeAll(async () => void (await loadWiki()));
afterEach(() => stop());

it("the page's menu has groups, deletion last", async () => {
  history.replaceState(null, "", "/wiki/p");
  const backend = new FakeBackend();
  backend.pagesNow = [page("/p")];
  const revision_info = { revision: 1, timestamp: "2026-11-20T09:00:00Z", user_name: "Aya", path: "/p" };
  const page_info = { path: { kind: "current" as const, value: "/p" }, revision_scope: { latest: 1, oldest: 1 }, rename_revisions: [1], deleted: false, locked: false, draft: false };
  backend.on("GET /api/pages/{page_id}/meta", () => ({ page_info, revision_info, pictures: [], links: [], properties: { items: [], fault: null } }));
  backend.on("GET /api/pages/{page_id}/source", () => new Response("# Title", { headers: { ETag: '"1.0-a"', "X-Page-Revision": "1" } }));
  for (const list of ["links", "backlinks", "assets"] as const) backend.on(`GET /api/pages/{page_id}/${list}`, () => []);
  const app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/wiki/p", page: null } });
  await screen.findByTestId("page-body");
  await userEvent.keyboard(".");
  const menu = (await screen.findByTestId("action-print")).closest("[role=menu]");
  const entries = [...(menu?.children ?? [])].map((entry) => (entry.tagName === "HR" ? "-" : entry.getAttribute("data-testid")?.replace("action-", "")));
  expect(entries).toEqual(["pin", "property-add", "-", "rename", "duplicate", "merge", "-", "print", "save-html", "copy-markdown", "-", "delete"]);
});
