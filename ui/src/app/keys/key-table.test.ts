// The list of keys: filtered and changed, in the whole frame.
import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { routes } from "../routes";

let app: App;
let backend: FakeBackend;
let stop = () => {};

// The loading time of the code is not tested.
beforeAll(async () => void (await routes.settings.load?.()));
beforeEach(async () => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findByTestId("settings");
  app.overlay = "keys";
  await screen.findByTestId("keys-dialog");
});
afterEach(() => stop());

const dialog = () => within(screen.getByTestId("keys-dialog"));
const rows = () => dialog().getAllByTestId("key-row");
const rowOf = (label: string) => within(rows().find((row) => row.querySelector("dt")?.textContent === label) ?? document.createElement("p"));
const capsOf = (label: string) => rowOf(label).getAllByTestId("key-change").map((button) => button.textContent);

async function press(label: string, keys: string): Promise<void> {
  await userEvent.click(rowOf(label).getByTestId("key-change"));
  await userEvent.keyboard(keys);
}

describe("a changed key", () => {
  it("is stored, works and is shown", async () => {
    await press("Go to Settings", "{Control>}{Shift>}S{/Shift}{/Control}");
    await waitFor(() => expect(capsOf("Go to Settings")).toEqual(["Ctrl Shift S"]));
    expect(backend.settingsNow.shortcuts).toEqual({ "go-settings": "Mod+Shift+s" });
    expect(screen.getByTestId("activity-settings").getAttribute("aria-keyshortcuts")).toBe("Control+Shift+s");
    app.overlay = null;
    await app.router.navigate("/trash");
    await userEvent.keyboard("{Control>},{/Control}");
    expect(app.router.url.pathname).toBe("/trash");
    await userEvent.keyboard("{Control>}{Shift>}S{/Shift}{/Control}");
    await waitFor(() => expect(app.router.url.pathname).toBe("/settings"));
  });

  it("returns to the usual one", async () => {
    await press("Go to Settings", "{Control>}{Shift>}S{/Shift}{/Control}");
    await waitFor(() => expect(rowOf("Go to Settings").queryByTestId("key-wanted")).toBeNull());
    await userEvent.click(rowOf("Go to Settings").getByLabelText("Give “Go to Settings” its usual key"));
    await waitFor(() => expect(backend.settingsNow.shortcuts).toEqual({}));
    expect(capsOf("Go to Settings")).toEqual(["Ctrl ,"]);
  });

  it("is given up by Escape", async () => {
    await press("Go to Settings", "{Escape}");
    expect(capsOf("Go to Settings")).toEqual(["Ctrl ,"]);
    expect(screen.queryByTestId("keys-dialog")).not.toBeNull();
    expect(document.activeElement).toBe(rowOf("Go to Settings").getByTestId("key-change"));
  });
});

it("another action’s key is swapped on request", async () => {
  await press("Go to Settings", "?");
  expect(dialog().getByTestId("key-refused").textContent).toContain("? is the key of “Show keyboard shortcuts”.");
  expect(backend.settingsNow.shortcuts).toEqual({});
  await userEvent.click(dialog().getByTestId("key-swap"));
  await waitFor(() => expect(backend.settingsNow.shortcuts).toEqual({ "go-settings": "?", keys: "Mod+," }));
});

it("keys that everything needs are refused", async () => {
  for (const keys of ["{Enter}", "{ArrowDown}", "{Control>}c{/Control}"]) {
    await press("Go to Settings", keys);
    expect(dialog().getByTestId("key-refused").textContent).toContain("can’t be chosen");
    await userEvent.keyboard("{Escape}");
  }
  expect(backend.settingsNow.shortcuts).toEqual({});
});

it("the filter finds actions and keys", async () => {
  await userEvent.type(dialog().getByTestId("keys-filter"), "go SETT");
  expect(rows().map((row) => row.querySelector("dt")?.textContent)).toEqual(["Go to Settings"]);
  await userEvent.clear(dialog().getByTestId("keys-filter"));
  await userEvent.type(dialog().getByTestId("keys-filter"), "ctrl ,");
  expect(rows().some((row) => row.textContent.includes("Go to Settings"))).toBe(true);
  await userEvent.type(dialog().getByTestId("keys-filter"), "zzz");
  expect(dialog().getByRole("status").textContent).toContain("No shortcut matches");
});

it("resetting all keys can be undone", async () => {
  await press("Go to Settings", "{Control>}{Shift>}S{/Shift}{/Control}");
  await userEvent.click(await dialog().findByTestId("keys-reset-all"));
  await waitFor(() => expect(backend.settingsNow.shortcuts).toEqual({}));
  await waitFor(() => expect(app.undos.last).not.toBeNull());
  if (app.undos.last) await app.undos.take(app.undos.last);
  await waitFor(() => expect(backend.settingsNow.shortcuts).toEqual({ "go-settings": "Mod+Shift+s" }));
});
