import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SaveResult } from "../../../api/backend";
import { ApiError } from "../../../api/errors";
import { FakeBackend } from "../../../testing/fake-backend";
import { App } from "../../app.svelte";
import Frame from "../../Frame.svelte";
// Loaded before the tests, as they wait for the calendar only.
import "./Calendar.svelte";

let stop = () => {};

function begin(address: string): FakeBackend {
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
  return backend;
}

async function open(address: string): Promise<FakeBackend> {
  const backend = begin(address);
  await screen.findByTestId("calendar");
  return backend;
}

const SAVED = { page_id: "P1", path: "/", revision: 2, etag: "" } as unknown as SaveResult;
const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-29T13:00:00Z" };

/** Types a quick note and adds it by keys. */
async function addQuickNote(text: string): Promise<void> {
  await userEvent.keyboard("{Alt>}{Shift>}N{/Shift}{/Alt}");
  await userEvent.type(await screen.findByTestId("quick-note-text"), text);
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["Date"], now: new Date(2026, 10, 29, 12) });
});
afterEach(() => {
  stop();
  localStorage.clear();
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

it("a quick note joins the note of today", async () => {
  vi.setSystemTime(new Date(2026, 10, 20, 12));
  const backend = await open("/settings");
  backend.pages.source.mockResolvedValue({ text: "# Friday\n", revision: 1, etag: "", deleted: false });
  backend.locks.acquire.mockResolvedValue(LOCK);
  const { save } = backend.pages;
  save.mockResolvedValue(SAVED);
  await addQuickNote("tea");
  await screen.findByText("Added to today’s note");
  expect(save).toHaveBeenCalledExactlyOnceWith("P1", "# Friday\n\ntea\n", { token: LOCK.token });
  expect(screen.queryByTestId("quick-note")).toBeNull();
  expect(localStorage).toHaveLength(0);
});

it("a quick note begins the note of today", async () => {
  const backend = await open("/settings");
  backend.pages.create.mockResolvedValue({ id: "P3", lock: LOCK });
  const { save } = backend.pages;
  save.mockResolvedValue(SAVED);
  await addQuickNote("tea");
  await screen.findByText("Added to today’s note");
  expect(save).toHaveBeenCalledExactlyOnceWith("P3", "# 2026-11-29\n\ntea\n", { token: LOCK.token });
});

it("a quick note that is refused stays", async () => {
  vi.setSystemTime(new Date(2026, 10, 20, 12));
  const backend = await open("/settings");
  backend.locks.acquire.mockRejectedValue(new ApiError("locked", 409, "locked", { userName: "Ben" }));
  await addQuickNote("tea");
  await vi.waitFor(() => expect(screen.getByTestId("quick-note-hint").textContent).toContain("Ben"));
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("{Alt>}{Shift>}N{/Shift}{/Alt}");
  expect((await screen.findByTestId<HTMLTextAreaElement>("quick-note-text")).value).toBe("tea");
});

it("the quick note window adds to today", async () => {
  const backend = begin("/quick-note");
  backend.pages.create.mockResolvedValue({ id: "P3", lock: LOCK });
  const { save } = backend.pages;
  save.mockResolvedValue(SAVED);
  const text = await screen.findByTestId<HTMLTextAreaElement>("quick-note-text");
  await vi.waitFor(() => expect(document.activeElement).toBe(text));
  expect(screen.queryByTestId("activity-bar")).toBeNull();
  await userEvent.keyboard("tea{Control>}{Enter}{/Control}");
  await screen.findByText("Added to today’s note");
  expect(save).toHaveBeenCalledExactlyOnceWith("P3", "# 2026-11-29\n\ntea\n", { token: LOCK.token });
  expect([text.value, localStorage.length]).toEqual(["", 0]);
});
