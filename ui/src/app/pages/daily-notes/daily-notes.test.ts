import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../../../testing/fake-backend";
import { App } from "../../app.svelte";
import Frame from "../../Frame.svelte";
// Loaded before the tests, as they wait for the calendar only.
import "./Calendar.svelte";

let stop = () => {};

async function open(address: string): Promise<void> {
  history.replaceState(null, "", address);
  const backend = new FakeBackend();
  const last_update = { revision: 1, timestamp: "2026-11-20T09:00:00Z", user_name: "Aya" };
  backend.pagesNow = [
    { page_id: "P1", path: "/daily/2026-11-20", title: "Friday", deleted: false, last_update },
    { page_id: "P2", path: "/daily/2026-11-21", title: "Saturday", deleted: true, last_update },
  ];
  const app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address, page: null } });
  await screen.findByTestId("calendar");
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["Date"], now: new Date(2026, 10, 29, 12) });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const calendar = () => within(screen.getByTestId("calendar"));

it("the calendar marks days with a note", async () => {
  await open("/settings");
  expect(await calendar().findByRole("link", { name: "Friday, November 20, 2026" })).toHaveProperty("pathname", "/wiki/daily/2026-11-20");
  const deleted = calendar().getByRole("link", { name: "Saturday, November 21, 2026, no note yet" });
  expect(deleted).toHaveProperty("pathname", "/edit/daily/2026-11-21");
});

it("a key opens the note of today", async () => {
  await open("/settings");
  await userEvent.keyboard("{Shift>}D{/Shift}");
  await vi.waitFor(() => expect(location.pathname).toBe("/edit/daily/2026-11-29"));
});

it("arrow keys go to days of other months", async () => {
  await open("/settings");
  calendar().getByTestId("day-2026-11-29").focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(calendar().getByTestId("day-2026-12-06"));
  await userEvent.keyboard("{PageUp}");
  expect(document.activeElement).toBe(calendar().getByTestId("day-2026-11-01"));
});

it("neighbours of a note are opened by keys", async () => {
  await open("/wiki/daily/2026-11-21");
  await userEvent.keyboard("{Alt>}{Shift>}{ArrowLeft}{/Shift}{/Alt}");
  await vi.waitFor(() => expect(location.pathname).toBe("/wiki/daily/2026-11-20"));
});

// The editor leaves these keys to the frame (editor/extensions/extensions.test.ts).
it("neighbours of a note are opened while writing", async () => {
  await open("/wiki/daily/2026-11-21");
  const text = document.body.appendChild(document.createElement("textarea"));
  text.focus();
  await userEvent.keyboard("{Alt>}{Shift>}{ArrowLeft}{/Shift}{/Alt}");
  await vi.waitFor(() => expect(location.pathname).toBe("/wiki/daily/2026-11-20"));
  text.remove();
});
