import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Property } from "../../api/backend";
import { FakeServer } from "../../testing/fake-server";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import type { DisplayedPage } from "../page-state.svelte";
import Properties from "./Properties.svelte";
import { pageLinkOf, wikiUrl } from "../../markdown";
import { valueOf } from "./property";

const ITEMS: Property[] = [
  { name: "status", kind: "text", values: ["open"] },
  { name: "done", kind: "check", values: ["false"] },
  { name: "tags", kind: "tags", values: ["旅", "b"] },
  { name: "home", kind: "page", values: ["[[/旅/京都]]"] },
  { name: "more", kind: "other", values: ["{a: 1}"] },
];

const MATCH = { score: 1, path_spans: [], title_spans: [] };

function open({ editable = true, adding = false, items = ITEMS, at = null, prepare = () => {} }: { editable?: boolean; adding?: boolean; at?: string | null; items?: Property[]; prepare?: (server: FakeServer) => void } = {}) {
  const server = new FakeServer();
  prepare(server);
  const host = new StubHost();
  const onchanged = vi.fn(() => Promise.resolve());
  const onadded = vi.fn();
  server.on("PATCH /api/pages/{page_id}/properties", () => ({ revision: 4 }));
  const page = { id: "P1", etag: '"3.0-x"', text: "---\n---\ntext", properties: { items, fault: null } } as unknown as DisplayedPage;
  render(Properties, { page, backend: server.backend, host, at, editable, adding, onadded, onchanged });
  const row = (name: string) => within(screen.getAllByTestId("property").find(({ dataset }) => dataset["name"] === name) ?? fail("not_found"));
  const sent = () => server.sent("PATCH /api/pages/{page_id}/properties").map(({ body }) => body);
  return { server, host, row, sent, onchanged, onadded };
}

it("shows values by their kinds", () => {
  const { row } = open();
  expect(row("home").getByRole("link").getAttribute("href")).toBe("/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD");
  expect(row("tags").getByText("#旅").closest("a")?.getAttribute("href")).toBe("/search?q=tag%3A%E6%97%85");
  expect(row("done").getByRole<HTMLInputElement>("checkbox").checked).toBe(false);
  expect(row("more").getByText("{a: 1}").tagName).toBe("CODE");
});

it("links of the past stay there", () => {
  const { row } = open({ at: "2026-05-12T14:30:00Z", editable: false });
  expect(row("home").getByRole("link").getAttribute("href")).toBe("/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD?at=2026-05-12T14:30:00Z");
});

it("shows titles of linked pages, marks missing ones", async () => {
  const items: Property[] = [{ name: "home", kind: "list", values: ["[[/旅/京都]]", "[[/旅/京都|Home]]", "[[/gone]]"] }];
  const { row } = open({
    items,
    prepare: (server) => server.on("GET /api/pages/resolve", ({ query: { path } }) => (path === "/旅/京都" ? { id: "P2", revision: 1, title: "Kyoto in Autumn" } : fail("page_not_found"))),
  });
  await vi.waitFor(() => expect(row("home").getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Kyoto in Autumn", "Home", "gone"]));
  await vi.waitFor(() => expect(row("home").getAllByRole("link").map((link) => [link.classList.contains("none"), link.getAttribute("href")])).toEqual([
    [false, wikiUrl("/旅/京都")],
    [false, wikiUrl("/旅/京都")],
    [true, "/edit/gone"],
  ]));
});

it("old texts can't be edited", () => {
  const { row } = open({ editable: false });
  expect(screen.queryAllByTestId("property-edit")).toEqual([]);
  expect(row("done").getByRole<HTMLInputElement>("checkbox").disabled).toBe(true);
});

it("saves an edited value with its version", async () => {
  const { server, row, sent, onchanged } = open();
  await userEvent.click(row("status").getByTestId("property-edit"));
  const field = screen.getByTestId("property-value");
  await vi.waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.clear(field);
  await userEvent.type(field, "closed{Enter}");
  await vi.waitFor(() => expect(onchanged).toHaveBeenCalled());
  expect(sent()).toEqual([{ name: "status", value: { kind: "text", values: ["closed"] } }]);
  expect(server.sent("PATCH /api/pages/{page_id}/properties")[0]?.headers.get("If-Match")).toBe('"3.0-x"');
});

it.each(["closed{Enter}", "{Escape}"])("after %s the focus returns to its button", async (keys) => {
  const { row } = open();
  row("status").getByTestId("property-edit").focus();
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("property-value")));
  await userEvent.keyboard(keys);
  await vi.waitFor(() => expect(document.activeElement).toBe(row("status").getByTestId("property-edit")));
});

it("a refused tick is taken back", async () => {
  const { server, host, row } = open();
  server.on("PATCH /api/pages/{page_id}/properties", () => fail("lock_required"));
  await userEvent.click(row("done").getByRole("checkbox"));
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(row("done").getByRole<HTMLInputElement>("checkbox").checked).toBe(false);
});

it("adds a property with its kind", async () => {
  const { sent, onadded } = open({ adding: true, items: [] });
  await userEvent.type(screen.getByTestId("property-name"), "due");
  await userEvent.selectOptions(screen.getByTestId("property-kind"), "tags");
  await userEvent.type(screen.getByTestId("property-value"), "a, b");
  await userEvent.click(screen.getByTestId("property-save"));
  await vi.waitFor(() => expect(onadded).toHaveBeenCalled());
  expect(sent()).toEqual([{ name: "due", value: { kind: "tags", values: ["a", "b"] } }]);
});

it("refuses a tag with blanks, and names another", async () => {
  const { sent, row, onchanged } = open({ items: [{ name: "tags", kind: "tags", values: ["旅", "old one"] }] });
  await userEvent.click(row("tags").getByTestId("property-edit"));
  await userEvent.type(screen.getByTestId("property-value"), "\n#to do");
  await userEvent.click(screen.getByTestId("property-save"));
  expect((await screen.findByRole("alert")).textContent).toBe("“to do” can’t be a tag. Tags have letters, digits, - and _, with / between levels, and no blanks. You could write “to-do”.");
  const field = screen.getByTestId("property-value");
  expect([document.activeElement, field.getAttribute("aria-invalid"), sent()]).toEqual([field, "true", []]);
  await userEvent.type(field, "{Backspace}{Backspace}{Backspace}");
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(screen.getByTestId("property-save"));
  await vi.waitFor(() => expect(onchanged).toHaveBeenCalled());
  expect(sent()).toEqual([{ name: "tags", value: { kind: "tags", values: ["旅", "old one", "#to"] } }]);
});

it("a page is chosen by its title", async () => {
  const pages = [{ page_id: "P2", path: "/旅/京都", title: "Kyoto in Autumn", ...MATCH }, { page_id: "P3", path: "/a#b", title: null, ...MATCH }];
  const { sent, onchanged } = open({ prepare: (server) => server.on("GET /api/pages/search", () => pages) });
  await userEvent.click(within(screen.getAllByTestId("property")[3] ?? fail("not_found")).getByTestId("property-edit"));
  const field = screen.getByTestId<HTMLInputElement>("property-value");
  await userEvent.clear(field);
  await userEvent.type(field, "きょうと");
  await vi.waitFor(() => expect(screen.getAllByTestId("property-page").map((option) => option.getAttribute("aria-selected"))).toEqual(["true", "false"]));
  await userEvent.keyboard("{ArrowDown}{ArrowUp}{Enter}");
  expect([field.value, screen.queryAllByTestId("property-page")]).toEqual(["/旅/京都", []]);
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(onchanged).toHaveBeenCalled());
  expect(sent()).toEqual([{ name: "home", value: { kind: "page", values: ["[[/旅/京都]]"] } }]);
});

describe("values", () => {
  it.each([
    ["[[/旅/京都]]", { path: "/旅/京都", label: "京都" }],
    ["[[/a|the label]]", { path: "/a", label: "the label" }],
    ["[[a]]", null],
    ["/a", null],
  ])("the link in %j", (value, expected) => expect(pageLinkOf(value)).toEqual(expected));

  it("a typed page gets its brackets", () => {
    expect(valueOf("page", "a/b")).toEqual({ kind: "page", values: ["[[/a/b]]"] });
    expect(valueOf("number", " ")).toEqual({ kind: "empty", values: [] });
    expect(valueOf("list", "x, y\n\nz")).toEqual({ kind: "list", values: ["x, y", "z"] });
  });
});
