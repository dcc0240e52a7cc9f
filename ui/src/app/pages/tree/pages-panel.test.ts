import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { loadHistory } from "../../../history/view";
import { FakeBackend, page } from "../../../testing/fake-backend";
import { App } from "../../app.svelte";
import Frame from "../../Frame.svelte";

let backend: FakeBackend;
let app: App;
let stop = () => {};

// The loading time of the code is not tested.
beforeAll(async () => void (await loadHistory()));

beforeEach(() => {
  // jsdom has no layout: every row is in view.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
  backend.pagesNow = [page("/", 9), { ...page("/travel", 3), title: "Travel" }, { ...page("/travel/kyoto", 2), title: "Kyoto in Autumn" }, page("/work", 1), page("/deep/down", 4)];
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

async function open(): Promise<void> {
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findAllByTestId("tree-item");
}

const rows = () => screen.getAllByTestId("tree-item").map((row) => row.querySelector(".label")?.textContent.trim());
const row = (path: string) => {
  const found = screen.getAllByTestId("tree-item").find((one) => one.dataset["id"] === path);
  if (found === undefined) throw new Error(`no row for ${path}`);
  return found;
};

/** Drags a row to another with the mouse. */
async function drag(from: string, onto: string): Promise<void> {
  const dataTransfer = { setData: vi.fn(), types: [], effectAllowed: "", dropEffect: "" };
  await fireEvent.dragStart(row(from), { dataTransfer });
  await fireEvent.dragOver(row(onto), { dataTransfer });
  await fireEvent.drop(row(onto), { dataTransfer });
}

describe("the tree of a moment", () => {
  it("has the pages of then, and no changes", async () => {
    const asked: (string | undefined)[] = [];
    backend.on("GET /api/pages/children", ({ query: { path, at } }) => {
      asked.push(at);
      const known = path === "/" ? [{ name: "gone", path: "/gone", page_id: "P1", title: "Gone", pages: 1 }] : [{ name: "below", path: "/gone/below", page_id: "P2", title: null, pages: 0 }];
      return { items: known, has_more: false };
    });
    const address = "/wiki/gone/below?at=2026-05-12T05:30:00Z";
    history.replaceState(null, "", address);
    app = new App(backend);
    stop = app.start();
    render(Frame, { app, first: { address, page: null } });
    await waitFor(() => expect(screen.getByTestId("past-tree").textContent).toContain("below"));
    expect(rows()).toEqual(["Top page", "Gone", "below"]);
    expect(row("/gone").getAttribute("href")).toBe("/wiki/gone?at=2026-05-12T05:30:00Z");
    expect(new Set(asked)).toEqual(new Set(["2026-05-12T05:30:00Z"]));
    expect(screen.queryByTestId("new-page")).toBeNull();
  });
});

describe("the tree of pages", () => {
  it("shows titles, and opens as last left", async () => {
    backend.treeNow = { sort: "path", open: ["/travel"], scroll: 0 };
    await open();
    expect(rows()).toEqual(["Top page", "deep", "Travel", "Kyoto in Autumn", "work"]);
  });

  it("shows visible branches before all pages are listed", async () => {
    backend.treeNow = { sort: "title", open: ["/travel"], scroll: 0 };
    let answer = () => {};
    const list = backend.pages.list;
    const listed = new Promise<void>((resolve) => (answer = resolve));
    Object.assign(backend.pages, { list: (...query: Parameters<typeof list>) => listed.then(() => list(...query)) });
    await open();
    const initial = ["Top page", "deep", "Travel", "Kyoto in Autumn", "work"];
    expect([app.pages.state, rows()]).toEqual(["loading", initial]);
    await fireEvent.click(row("/deep").querySelector("[data-twisty]") ?? row("/deep"));
    await waitFor(() => expect(rows()).toEqual(["Top page", "deep", "down", "Travel", "Kyoto in Autumn", "work"]));
    answer();
    await waitFor(() => expect(app.pages.state).toBe("ready"));
    expect(rows()).toEqual(["Top page", "deep", "down", "Travel", "Kyoto in Autumn", "work"]);
  });

  it("is sorted by a choice that is stored", async () => {
    await open();
    expect(rows()).toEqual(["Top page", "deep", "Travel", "work"]);
    await userEvent.click(screen.getByTestId("tree-sort"));
    expect((await screen.findByTestId("tree-sort-title")).getAttribute("aria-checked")).toBe("true");
    await userEvent.click(screen.getByTestId("tree-sort-changed"));
    expect(rows()).toEqual(["Top page", "work", "Travel", "deep"]);
    await waitFor(() => expect(backend.treeNow.sort).toBe("changed"));
  });

  it.each(["the plus", "a key"])("adds a page below a row by %s", async (way) => {
    await open();
    if (way === "a key") {
      row("/work").focus();
      await userEvent.keyboard("{Insert}");
    } else await fireEvent.click(within(row("/work")).getByTestId("tree-add"));
    const field = await screen.findByTestId<HTMLInputElement>("new-page-path");
    expect(field.value).toBe("/work/");
    expect(location.pathname).toBe("/settings");
  });

  it("moves a dropped page by the dialog", async () => {
    await open();
    await drag("/work", "/travel");
    expect((await screen.findByTestId<HTMLInputElement>("move-path")).value).toBe("/travel/work");
    expect(app.dialog).toMatchObject({ kind: "rename", page: { id: "P/work", path: "/work" } });
  });

  it("moves the focused page by a key", async () => {
    await open();
    row("/work").focus();
    await userEvent.keyboard("{F2}");
    expect((await screen.findByTestId<HTMLInputElement>("move-path")).value).toBe("/work");
  });

  it.each([
    ["/travel", "/travel", "can’t be moved into itself"],
    ["/travel", "/travel/kyoto", "can’t be moved into itself"],
    ["/travel/kyoto", "/travel", "already there"],
  ])("refuses to move %s onto %s, saying why", async (from, onto, reason) => {
    backend.treeNow = { sort: "title", open: ["/travel"], scroll: 0 };
    await open();
    await drag(from, onto);
    expect(app.toasts.items[0]?.message).toContain(reason);
    expect(app.dialog).toBeNull();
  });

  it("has row menus by right button and key", async () => {
    await open();
    await fireEvent.contextMenu(row("/travel"), { clientX: 20, clientY: 40 });
    await screen.findByTestId("context-menu");
    const items = () => within(screen.getByTestId("context-menu")).getAllByRole("menuitem").map((item) => item.querySelector(".label")?.textContent);
    expect(items()).toEqual(["Open", "Open in new tab", "New subpage", "Pin to the tree", "Move or rename…", "Duplicate page", "Merge into…", "Delete"]);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByTestId("context-menu")).toBeNull();
    row("/deep").focus();
    await userEvent.keyboard("{ContextMenu}");
    await screen.findByTestId("context-menu");
    expect(items()).toEqual(["New subpage", "List pages below"]);
  });
});

describe("pinned pages", () => {
  const pinned = () => screen.queryAllByTestId("pinned-page").map((link) => [link.textContent.trim(), link.getAttribute("href")]);

  it("are shown above the tree by their titles", async () => {
    backend.pinned = ["P/travel/kyoto"];
    await open();
    await waitFor(() => expect(pinned()).toEqual([["Kyoto in Autumn", "/wiki/travel/kyoto"]]));
    await userEvent.click(screen.getByTestId("unpin"));
    await waitFor(() => expect(pinned()).toEqual([]));
    expect(backend.pinned).toEqual([]);
  });

  it("are pinned by the menu of a row", async () => {
    await open();
    await fireEvent.contextMenu(row("/work"), { clientX: 20, clientY: 40 });
    await userEvent.click(await screen.findByTestId("action-row-pin"));
    await waitFor(() => expect(pinned()).toEqual([["work", "/wiki/work"]]));
  });

  it("that can't be stored are reported", async () => {
    await open();
    backend.users.pin.mockRejectedValueOnce(new Error("no"));
    await fireEvent.contextMenu(row("/work"), { clientX: 20, clientY: 40 });
    await userEvent.click(await screen.findByTestId("action-row-pin"));
    await waitFor(() => expect(app.toasts.items).toHaveLength(1));
    expect(pinned()).toEqual([]);
  });
});
