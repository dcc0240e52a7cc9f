import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AutosaveEntry } from "../../api/backend";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

let backend: FakeBackend;
let app: App;
let stop = () => {};

const entry = (path: string, beginning: string, more: Partial<AutosaveEntry> = {}): AutosaveEntry => ({
  id: `J${path}`,
  page_id: "D1",
  tab: "tab",
  path,
  base_revision: null,
  size: beginning.length,
  beginning,
  source: beginning,
  seq: 1,
  updated_at: "2026-11-20T09:00:00Z",
  page_exists: false,
  ...more,
});

beforeEach(async () => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
  backend.entriesNow = [
    entry("/travel/oslo", "fjords", { updated_at: "2026-11-19T09:00:00Z" }),
    entry("/travel/kyoto", "older", { id: "J0", updated_at: "2026-11-18T09:00:00Z" }),
    entry("/travel/kyoto", "# Kyoto \\*in\\* autumn\n\nmoss"),
    entry("/blank", " \n"),
    entry("/saved", "more", { page_exists: true, base_revision: 3 }),
  ];
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await vi.waitFor(() => expect(app.unsaved.items).toHaveLength(2));
});
afterEach(() => stop());

it("unsaved pages are each path's newest text", () => {
  expect(app.unsaved.items.map(({ path, title }) => [path, title])).toEqual([
    ["/travel/kyoto", "Kyoto *in* autumn"],
    ["/travel/oslo", "oslo"],
  ]);
});

it("unsaved pages are in recents and the tree", async () => {
  const recent = await screen.findAllByTestId("recent-unsaved");
  expect(recent.map((link) => link.getAttribute("href"))).toEqual(["/edit/travel/kyoto?take=J/travel/kyoto", "/edit/travel/oslo?take=J/travel/oslo"]);
  expect(recent[0]?.textContent).toMatch(/Kyoto \*in\* autumn\s*not saved/);
  app.tree.open.add("/travel");
  await vi.waitFor(() => expect(screen.getByTestId("tree").textContent).toContain("Kyoto *in* autumn"));
});

it("the palette finds an unsaved page's title", async () => {
  app.overlay = "palette";
  await userEvent.type(await screen.findByTestId("palette-input"), "autumn");
  await vi.waitFor(() => expect(screen.getAllByTestId("palette-entry")[0]?.textContent).toContain("Kyoto *in* autumn"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(location.pathname + location.search).toBe("/edit/travel/kyoto?take=J/travel/kyoto"));
});

it("a saved page is no longer listed", async () => {
  backend.entriesNow = [];
  backend.emit("page.changed", { page_id: "D1", path: "/travel/kyoto", revision: 1, kind: "created" });
  await vi.waitFor(() => expect(screen.queryAllByTestId("recent-unsaved")).toEqual([]));
});
