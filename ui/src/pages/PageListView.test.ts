import { cleanup, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Backend } from "../api/backend";
import { FakeBackend, page } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import PageListView from "./PageListView.svelte";

function open(prefix: string, backend: Backend): StubHost {
  const host = new StubHost();
  render(PageListView, { place: { prefix, cursor: null }, backend, host, now: new Date("2026-11-20T10:00:00Z") });
  return host;
}

it("Ctrl Enter creates a missing page", async () => {
  const host = open("旅", new FakeBackend());
  expect((await screen.findByTestId("list-write")).getAttribute("aria-keyshortcuts")).toBe("Control+Enter");
  expect(host.named("Mod+Enter")).toBe("Create /旅");
  await host.press("Mod+Enter");
  expect(host.visited).toEqual(["/edit/%E6%97%85"]);
});

it("the key creates nothing if there are pages", async () => {
  const backend = new FakeBackend();
  backend.pagesNow = [page("/a")];
  const host = open("", backend);
  await screen.findByTestId("list-page");
  expect(host.named("Mod+Enter")).toBeUndefined();
});

it("arrows move between the field and the list", async () => {
  const backend = new FakeBackend();
  backend.pagesNow = [page("/a"), page("/b")];
  open("", backend);
  await screen.findAllByTestId("list-page");
  const field = screen.getByTestId("list-filter");
  expect(document.activeElement).toBe(field);
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.getAttribute("href")).toBe("/wiki/b");
  await userEvent.keyboard("{ArrowUp}{ArrowUp}");
  expect(document.activeElement).toBe(field);
});

it("paging buttons exist only if the list continues", async () => {
  const backend = new FakeBackend();
  backend.pagesNow = [page("/a"), page("/b")];
  const whole = open("", backend);
  await screen.findAllByTestId("list-page");
  expect(screen.queryByTestId("list-after")).toBeNull();
  expect(whole.statusItems.map(({ text }) => text)).toEqual(["2 pages"]);
  cleanup();
  backend.pages.list.mockResolvedValueOnce({ items: backend.pagesNow, has_more: true });
  const part = open("", backend);
  const enabled = ["list-before", "list-after"].map(async (id) => !(await screen.findByTestId<HTMLButtonElement>(id)).disabled);
  expect(await Promise.all(enabled)).toEqual([false, true]);
  expect(part.statusItems.map(({ text }) => text)).toEqual(["2 pages shown"]);
});
