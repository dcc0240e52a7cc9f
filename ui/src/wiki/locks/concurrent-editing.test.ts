import { render, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { setMe } from "../../i18n";
import { passPosition, takePosition } from "../../editing/page-position";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

it("editing starts and ends at the reading position", async () => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  const server = new FakeServer();
  const host = new StubHost();
  server.add("/p", "# One\n\ntwo\n\nthree");
  passPosition("/p", 4);
  const edge = vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const place = { H1: 40, P: this.textContent === "two" ? 140 : 240 }[this.tagName];
    const scrolled = this.closest(".room")?.scrollTop ?? 0;
    return place === undefined ? new DOMRect() : new DOMRect(0, place - scrolled, 10, 60);
  });
  render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host });
  const room = (await screen.findByTestId("page-body")).closest(".room");
  if (room === null) throw new Error("the page stands in no room");
  await vi.waitFor(() => expect(room.scrollTop).toBe(240));
  room.scrollTop = 155;
  await host.act("edit");
  expect(host.visited).toEqual(["/edit/p"]);
  expect(takePosition("/p")).toBeCloseTo(2.25);
  edge.mockRestore();
});

it("the top page lists pages never saved", async () => {
  history.replaceState(null, "", "/wiki/");
  const server = new FakeServer();
  server.add("/", "top");
  const unsavedPages = [{ title: "Kyoto", address: "/edit/kyoto?take=J1" }];
  render(WikiView, { path: "/", revision: null, preloaded: null, unsavedPages, backend: server.backend, host: new StubHost() });
  expect((await screen.findByText("Kyoto")).closest("a")?.getAttribute("href")).toBe("/edit/kyoto?take=J1");
});

it("another own window is reported as such", async () => {
  setMe("Aya");
  history.replaceState(null, "", "/wiki/p");
  const server = new FakeServer();
  const page = server.add("/p", "text");
  render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host: new StubHost() });
  await screen.findByTestId("page-body");
  server.emit("page.locked", { page_id: page.id, user_name: "Aya", expire: "2026-11-20T09:05:00Z" });
  expect((await screen.findByTestId("page-locked")).textContent).toBe("Another window of yours is editing this page");
  setMe(null);
});
