import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, expect, it, vi } from "vitest";
import type { Backlink, PageLink } from "../../api/backend";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import LinkMap from "./LinkMap.svelte";
import LinkPanel from "./LinkPanel.svelte";
import { MapView } from "./map-view.svelte";

let server: FakeServer;
let map: MapView;

beforeEach(() => {
  localStorage.clear();
  server = new FakeServer();
  map = new MapView();
  map.isOpen = true;
});

const to = (id: string, title: string | null = null): PageLink => ({ kind: "page", page_id: id, path: `/${id}`, title, deleted: false });
const from = (id: string, title: string | null = null): Backlink => ({ page_id: id, path: `/${id}`, title });

function open(onbacklinks = () => {}) {
  return render(LinkMap, { pageId: "page", title: "京都", map, backend: server.backend, host: new StubHost(), onbacklinks });
}

function neighbourhood(): void {
  server.backlinks = [from("a", "秋の庭"), from("b", "寺")];
  server.links = [to("c"), to("b", "寺"), { kind: "path", page_id: null, path: "/夢", deleted: false }];
}

const nodes = () => screen.findAllByTestId("link-map-node");
const focused = () => document.activeElement?.querySelector("bdi")?.textContent;

it("is two lists of links around the page", async () => {
  neighbourhood();
  const { container } = open();
  expect((await nodes()).map(({ textContent }) => textContent.trim().replace(/\s+/g, " "))).toEqual([
    "秋の庭 /a",
    "寺 /b The pages link to each other",
    "c /c",
    "夢 /夢 This page doesn’t exist yet",
  ]);
  expect(screen.getByRole("list", { name: "Incoming links" }).children).toHaveLength(1);
  expect(screen.getByRole("list", { name: "Outgoing links" }).children).toHaveLength(3);
  expect(screen.getByTestId("link-map-page").textContent).toBe("京都");
  expect((await nodes()).at(-1)?.getAttribute("href")).toBe("/edit/%E5%A4%A2");
  const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
  expect(violations).toEqual([]);
});

it("draws one arrowhead per direction of a link", async () => {
  neighbourhood();
  const { container } = open();
  await nodes();
  expect([...container.querySelectorAll(".head")].map((head) => head.getAttribute("d")?.split("Z").length)).toEqual([2, 3, 2, 2]);
});

it("arrows move between pages, Tab through them all", async () => {
  neighbourhood();
  open();
  (await nodes())[0]?.focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(focused()).toBe("c");
  await userEvent.keyboard("{ArrowUp}");
  expect(focused()).toBe("寺");
  await userEvent.keyboard("{ArrowLeft}");
  expect(focused()).toBe("秋の庭");
  await userEvent.tab();
  expect(focused()).toBe("寺");
});

it("leads to the backlinks if there are more", async () => {
  server.backlinks = Array.from({ length: 30 }, (_, index) => from(`${index}`));
  render(LinkPanel, { pageId: "page", path: "/k", title: "京都", deleted: false, map, backend: server.backend, host: new StubHost() });
  const more = await screen.findByTestId("link-map-more");
  expect(await nodes()).toHaveLength(24);
  expect(more.textContent.trim()).toBe("6 more pages");
  await screen.findAllByTestId("backlink");
  await userEvent.click(more);
  expect(document.activeElement).toBe(screen.getAllByTestId("backlink")[0]);
});

it("shows more links and focuses the first new", async () => {
  server.links = Array.from({ length: 30 }, (_, index) => to(`p${index}`));
  open();
  await userEvent.click(await screen.findByTestId("link-map-more"));
  expect(await nodes()).toHaveLength(30);
  expect(focused()).toBe("p24");
  expect(screen.queryByTestId("link-map-more")).toBeNull();
});

it("loads nothing while closed", async () => {
  map.isOpen = false;
  const { pages, ...backend } = server.backend;
  const links = vi.fn(pages.links);
  const onsettled = vi.fn();
  render(LinkMap, { pageId: "page", title: "京都", map, backend: { ...backend, pages: { ...pages, links } }, host: new StubHost(), onsettled, onbacklinks: () => {} });
  expect(onsettled).toHaveBeenCalled();
  expect(links).not.toHaveBeenCalled();
  await userEvent.click(screen.getByTestId("link-map-toggle"));
  await screen.findByTestId("link-map-empty");
  expect(screen.getByTestId("link-map-toggle").getAttribute("aria-expanded")).toBe("true");
});

it("its key opens, focuses and closes it", async () => {
  neighbourhood();
  map.isOpen = false;
  map.ask();
  open();
  await vi.waitFor(() => expect(focused()).toBe("秋の庭"));
  map.ask();
  await vi.waitFor(() => expect(screen.queryByTestId("link-map-graph")).toBeNull());
  expect(document.activeElement).toBe(screen.getByTestId("link-map-toggle"));
});

it("reports a failure, retries, and follows changes", async () => {
  server.fault = "unreachable";
  open();
  const retry = await screen.findByTestId("link-map-retry");
  server.fault = null;
  retry.click();
  await screen.findByTestId("link-map-empty");
  neighbourhood();
  server.emit("page.changed", { page_id: "a", path: "/a", revision: 2, kind: "saved" });
  expect(await nodes()).toHaveLength(4);
});
