import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { QueriedPage } from "../api/backend";
import { FakeServer } from "../testing/fake-server";
import { StubHost } from "../testing/stub-host";
import { ALL_PAGES, type ListPlace, pagesAddress, parsePagesAddress } from "./address";
import PageListView from "./PageListView.svelte";
import { PIECE } from "./page-rows.svelte";
import { ShownColumns } from "./shown-columns.svelte";

let server: FakeServer;
let host: StubHost;
let pages: QueriedPage[];

const page = (path: string, more: Partial<QueriedPage> = {}): QueriedPage => ({
  page_id: `P${path}`,
  path,
  title: null,
  updated: "2026-11-20T08:00:00Z",
  user_name: "Aya",
  tags: [],
  properties: [],
  ...more,
});

beforeEach(() => {
  localStorage.clear();
  // jsdom has no layout: a table of fourteen rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(504);
  host = new StubHost();
  server = new FakeServer();
  pages = [page("/a", { title: "Alpha", tags: ["x"], properties: [{ name: "rating", kind: "number", values: ["4"] }] }), page("/b")];
  server.on("POST /api/pages/query", ({ body }) => {
    const { offset = 0, limit } = body as { offset?: number; limit: number };
    return { items: pages.slice(offset, offset + limit), total: pages.length };
  });
  server.on("GET /api/tags", () => [{ tag: "x", pages: 1 }]);
  server.on("GET /api/properties", () => [{ name: "rating", pages: 1 }]);
});
afterEach(() => vi.restoreAllMocks());

function open(place: Partial<ListPlace> = {}) {
  render(PageListView, { place: { ...ALL_PAGES, ...place }, backend: server.backend, host, now: new Date("2026-11-20T10:00:00Z") });
}

const rows = async () => (await screen.findAllByTestId("list-page")).map((row) => row.textContent.replace(/\s+/g, " ").trim());
const query = () => server.sent("POST /api/pages/query").at(-1)?.body;

it("shows columns of properties, and remembers them", async () => {
  open();
  expect((await rows())[0]).toBe("Alpha Path /a Tags #x Changed 2 hr. ago");
  await screen.findByTestId("list-property");
  await host.press("c");
  await fireEvent.click(await screen.findByRole("menuitemcheckbox", { name: "rating" }));
  expect(screen.getByRole("menuitemcheckbox", { name: "rating" }).getAttribute("aria-checked")).toBe("true");
  expect((await rows())[0]).toBe("Alpha Path /a Tags #x Changed 2 hr. ago rating 4");
  expect(new ShownColumns().names).toEqual(["path", "tags", "updated", "rating"]);
});

it("asks for the filters and the order", async () => {
  const where = { property: "rating", comparison: "at_least" as const, value: "4" };
  open({ text: "a", tag: "x", where, order: { by: "rating", descending: true } });
  await rows();
  expect(query()).toEqual({ tag: "x", where: [{ property: "path", comparison: "contains", value: "a" }, where], sort: { by: "rating", descending: true }, offset: 0, limit: PIECE });
  expect(host.statusItems[0]?.text).toBe("2 pages found");
});

it("a pressed heading sorts, then reverses", async () => {
  open();
  await fireEvent.click(await screen.findByTestId("head-updated"));
  await fireEvent.click(screen.getByTestId("head-path"));
  expect(host.visited).toEqual(["/pages?sort=updated", "/pages?sort=-path"]);
});

it("the controls change the address", async () => {
  open();
  const last = () => parsePagesAddress(new URL(host.visited.at(-1) ?? "", "http://x"));
  await fireEvent.change(await screen.findByTestId("list-tag"), { target: { value: "x" } });
  expect(last()?.tag).toBe("x");
  await fireEvent.change(screen.getByTestId("list-property"), { target: { value: "rating" } });
  expect(last()?.where).toEqual({ property: "rating", comparison: "exists", value: "" });
  await fireEvent.change(screen.getByTestId("list-sort"), { target: { value: "rating" } });
  expect(last()?.order).toEqual({ by: "rating", descending: false });
  await host.press("Shift+s");
  expect(last()?.order).toEqual({ by: "path", descending: true });
  await userEvent.type(screen.getByTestId("list-filter"), "moss");
  await waitFor(() => expect(last()?.text).toBe("moss"));
});

it("reads many pages in pieces", async () => {
  pages = Array.from({ length: 10_000 }, (_, index) => page(`/p${index}`));
  open();
  expect((await rows()).length).toBeLessThan(60);
  expect(host.statusItems[0]?.text).toBe("10,000 pages");
  const list = screen.getByTestId("page-rows");
  list.scrollTop = 5_000 * 36;
  await fireEvent.scroll(list);
  await waitFor(async () => expect((await rows()).some((row) => row.startsWith("p5005 "))).toBe(true));
  expect(query()).toMatchObject({ offset: 5_000, limit: PIECE });
});

describe("the keys", () => {
  it("move between the field and the table", async () => {
    open();
    await rows();
    const field = screen.getByTestId("list-filter");
    expect(document.activeElement).toBe(field);
    await userEvent.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement?.getAttribute("href")).toBe("/wiki/a"));
    await userEvent.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement?.getAttribute("href")).toBe("/wiki/b"));
    await userEvent.keyboard("{ArrowUp}");
    await waitFor(() => expect(document.activeElement?.getAttribute("href")).toBe("/wiki/a"));
    await userEvent.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(field);
  });

  it("create a missing page", async () => {
    pages = [];
    open({ text: "旅" });
    expect((await screen.findByTestId("list-write")).getAttribute("aria-keyshortcuts")).toBe("Control+Enter");
    await host.press("Mod+Enter");
    expect(host.visited).toEqual(["/edit/%E6%97%85"]);
  });

  it("create nothing if there are pages", async () => {
    open({ text: "a" });
    await rows();
    expect(host.named("Mod+Enter")).toBeUndefined();
  });
});

it.each<Partial<ListPlace>>([
  {},
  { text: "旅/京", tag: "a/b" },
  { where: { property: "期日", comparison: "less", value: "2026-12-01" }, order: { by: "期日", descending: true } },
])("an address has the state %j", (place) => {
  const whole = { ...ALL_PAGES, ...place };
  expect(parsePagesAddress(new URL(pagesAddress(whole), "http://x"))).toEqual(whole);
});
