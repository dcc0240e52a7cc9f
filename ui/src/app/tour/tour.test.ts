import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import type { SaveResult } from "../../api/backend";
import { setLocale } from "../../i18n";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { addSamplePages, samplePages } from "./samples";
// Loaded before the tests, as they wait for the dialog only.
import "./Tour.svelte";

const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-29T13:00:00Z" };
const SAVED = { revision: 1, etag: "" } as unknown as SaveResult;

it("the tour goes on by keys, and ends", async () => {
  setLocale("en");
  history.replaceState(null, "", "/settings");
  const app = new App(new FakeBackend());
  const stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await vi.waitFor(() => expect(app.session.phase.name).toBe("ready"));
  app.overlay = "tour";
  await screen.findByText("Pages that know each other");
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}");
  expect(screen.getByTestId("tour-samples")).toBeTruthy();
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.queryByTestId("tour-samples")).toBeNull();
  await userEvent.click(screen.getByTestId("tour-skip"));
  expect(screen.queryByTestId("tour")).toBeNull();
  stop();
});

it("sample pages replace no page", async () => {
  const backend = new FakeBackend();
  const last_update = { revision: 1, timestamp: "2026-11-20T09:00:00Z", user_name: "Aya" };
  backend.pagesNow = [{ page_id: "P1", path: "/samples/tasks", title: "Mine", deleted: false, last_update }];
  backend.pages.create.mockResolvedValue({ id: "P2", lock: LOCK });
  backend.pages.save.mockResolvedValue(SAVED);
  expect(await addSamplePages(backend, "en")).toBe("/samples");
  expect(backend.pages.create.mock.calls.map(([path]) => path)).toEqual(["/samples", "/samples/links", "/samples/formulas"]);
});

it.each(["en", "ja"] as const)("all sample pages in %s are below one", (language) => {
  const [top, ...others] = samplePages(language).map(({ path }) => path);
  expect(others.every((path) => path.startsWith(`${top}/`))).toBe(true);
  expect(others).toHaveLength(3);
});
