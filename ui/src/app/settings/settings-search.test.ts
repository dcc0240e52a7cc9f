// The sections of the settings, and their search.
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { routes } from "../routes";

let backend: FakeBackend;
let stop = () => {};

// The loading time of the code is not tested.
beforeAll(async () => void (await Promise.all([routes.settings.load?.(), import("../tabs")])));
beforeEach(() => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
});
afterEach(() => stop());

async function open() {
  const app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findByTestId("settings");
}

const isShown = (id: string) => screen.getByTestId(id).closest("[hidden]") === null;
const titles = () => [...document.querySelectorAll("[data-settings]:not([hidden]) h2")].map((title) => title.textContent);

const search = (words: string) => fireEvent.input(screen.getByTestId("settings-search"), { target: { value: words } });

it("the sections are those of the list", async () => {
  await open();
  const links = document.querySelectorAll<HTMLAnchorElement>("nav[aria-label=Sections] a");
  expect([...links].map((link) => link.textContent)).toEqual(titles());
  for (const link of links) expect(document.getElementById(link.hash.slice(1))?.querySelector("h2")?.textContent).toBe(link.textContent);
});

it("the search leaves what has all words", async () => {
  await open();
  await userEvent.keyboard("/");
  expect(document.activeElement).toBe(screen.getByTestId("settings-search"));
  await search("ＷＩＤＴＨ full");
  await waitFor(() => expect(titles()).toEqual(["Appearance"]));
  expect([isShown("reading-width-full"), isShown("theme-dark")]).toEqual([true, false]);
  await search("go to trash");
  await waitFor(() => expect(titles()).toEqual(["Keyboard shortcuts"]));
  await search("nonsense");
  expect((await screen.findByTestId("settings-none")).textContent).toBe("No setting matches “nonsense”.");
  await search("");
  await waitFor(() => expect(titles().length).toBe(11));
});

it("a section’s title finds all of it", async () => {
  await open();
  await search("appearance");
  await waitFor(() => expect(titles()).toEqual(["Appearance"]));
  expect([isShown("reading-width-full"), isShown("theme-dark")]).toEqual([true, true]);
});

it("version and folder are shown", async () => {
  backend.once("GET /api/about", () => ({ version: "1.2.3", data_folder: "/data" }));
  await open();
  await waitFor(() => expect(screen.getByTestId("settings-version").textContent).toBe("1.2.3"));
  expect(screen.getByTestId("settings-data_folder").textContent).toBe("/data");
  expect(screen.queryByTestId("settings-open-folder")).toBeNull();
});

it("the window opens the notices of other works", async () => {
  const desktop = fakeDesktop();
  backend.desktop = desktop;
  await open();
  await userEvent.click(screen.getByTestId("settings-notices"));
  expect(desktop.openNotices).toHaveBeenCalledOnce();
});

it("the window copies diagnostics", async () => {
  const desktop = fakeDesktop();
  backend.desktop = desktop;
  await open();
  await userEvent.click(screen.getByTestId("settings-diagnostics"));
  expect(desktop.copyDiagnostics).toHaveBeenCalledOnce();
});
