import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { MirrorState } from "../../api/backend";
import { FakeBackend, NO_MIRROR } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

let server: FakeBackend;
let state: MirrorState;
let stop = () => {};

beforeEach(() => {
  history.replaceState(null, "", "/settings");
  server = new FakeBackend();
  state = { ...NO_MIRROR, folder: "/mirror", is_on: true };
  server.on("GET /api/mirror", () => state);
});

afterEach(() => stop());

function open() {
  const app = new App(server);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
}

it("the status bar counts files edited outside", async () => {
  state = { ...state, outside: [{ entry: "pages/a.md", kind: "edited", page_id: "P1" }] };
  open();
  const item = await screen.findByTestId("status-mirror");
  expect([item.getAttribute("href"), item.dataset["tone"]]).toEqual(["/mirror", "warn"]);
  expect(item.textContent).toContain("Mirror: 1 file edited outside");
  state = { ...state, outside: [], failure: "disk_full" };
  server.emit("mirror.changed", {});
  await waitFor(() => expect(screen.getByTestId("status-mirror").textContent).toBe("Mirror not up to date"));
  expect(screen.getByTestId("status-mirror").getAttribute("href")).toBe("/settings#mirror");
  state = { ...state, is_on: false };
  server.emit("mirror.changed", {});
  await waitFor(() => expect(screen.queryByTestId("status-mirror")).toBeNull());
});
