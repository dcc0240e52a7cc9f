import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DesktopApi } from "../../api/backend";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import { lastingAddress } from "./desktop-window";
import Frame from "../Frame.svelte";
import { parseAddress } from "../routes";

let desktop: DesktopApi;
let app: App;
let stop = () => {};

beforeEach(async () => {
  history.replaceState(null, "", "/settings");
  const backend = new FakeBackend();
  desktop = fakeDesktop();
  backend.desktop = desktop;
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findByTestId("activity-bar");
});
afterEach(() => stop());

it("each view is noted for the next start", async () => {
  await waitFor(() => expect(desktop.noteView).toHaveBeenLastCalledWith("/settings"));
  await app.router.navigate("/pictures/R1/a%20b?view=c.jpg");
  await waitFor(() => expect(desktop.noteView).toHaveBeenLastCalledWith("/pictures/R1/a%20b?view=c.jpg"));
});

it.each([
  ["/edit/%E6%97%85/a", "/wiki/%E6%97%85/a"],
  ["/wiki/a?rev=3", "/wiki/a?rev=3"],
  ["/search?q=a#b", "/search?q=a"],
])("%s is left for %s", (address, expected) => {
  const url = new URL(address, location.href);
  expect(lastingAddress({ url, route: parseAddress(url) })).toBe(expected);
});

it("the zoom changes by keys and is shown", async () => {
  vi.mocked(desktop.zoom).mockResolvedValue(125);
  await userEvent.keyboard("{Control>}+={/Control}");
  expect(vi.mocked(desktop.zoom).mock.calls).toEqual([["in"], ["in"]]);
  await waitFor(() => expect(screen.getAllByTestId("toast").map((toast) => toast.textContent.trim())).toEqual(["Zoom: 125%"]));
  await userEvent.keyboard("{Control>}-0{/Control}");
  expect(vi.mocked(desktop.zoom).mock.calls.slice(2)).toEqual([["out"], ["reset"]]);
});

it("full screen and closing keys work in dialogs", async () => {
  await userEvent.keyboard("{F11}");
  app.overlay = "keys";
  await screen.findByTestId("keys-dialog");
  await userEvent.keyboard("{F11}{Control>}wq{/Control}b");
  expect(desktop.toggleFullscreen).toHaveBeenCalledTimes(2);
  expect(desktop.requestClose).toHaveBeenCalledTimes(2);
  expect(app.router.url.pathname).toBe("/settings");
});

it("the spelling follows the settings", async () => {
  const field = await screen.findByTestId("spelling-languages");
  expect(desktop.setSpelling).toHaveBeenLastCalledWith({ enabled: true, languages: [] });
  expect(screen.getByTestId("spelling-dictionaries").textContent).toContain("Dictionaries in use: en_US");
  await userEvent.type(field, "de、 en_GB{Enter}");
  await waitFor(() => expect(desktop.setSpelling).toHaveBeenLastCalledWith({ enabled: true, languages: ["de", "en_GB"] }));
  await userEvent.click(screen.getByTestId("spelling-enabled"));
  await waitFor(() => expect(desktop.setSpelling).toHaveBeenLastCalledWith({ enabled: false, languages: ["de", "en_GB"] }));
});

it("the settings open the folder of the data", async () => {
  await userEvent.click(await screen.findByTestId("settings-open-folder"));
  expect(desktop.openDataFolder).toHaveBeenCalledOnce();
});
