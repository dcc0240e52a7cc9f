import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DesktopApi, WindowTab, WindowTabs } from "../../api/backend";
import { FakeBackend, fakeDesktop, page } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { loadWiki } from "../../wiki/view";
import { routes } from "../routes";
import type { Workspace } from "./workspace.svelte";

let desktop: DesktopApi;
let app: App;
let stop = () => {};

// The code of the views and tabs, which the window fetches when it needs it.
beforeAll(() => Promise.all([loadWiki(), routes.settings.load?.(), import("."), import("./menu"), import("../pages/tree/row-menus")]));
beforeEach(() => {
  // The tests' document scrolls nothing.
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => stop());

async function open(stored: WindowTabs | null = null, address = "/settings"): Promise<Workspace> {
  history.replaceState(null, "", address);
  const backend = new FakeBackend();
  backend.pagesNow = [page("/", 1), page("/moss", 1)];
  backend.pinned = ["P/moss"];
  desktop = fakeDesktop({ tabs: () => Promise.resolve(stored) });
  backend.desktop = desktop;
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address, page: null } });
  await screen.findAllByTestId("tab");
  if (app.workspace === null) throw new Error("no tabs");
  return app.workspace;
}

const stored = (address: string, title = address): WindowTab => ({ address, title, scroll: 0 });
const titles = () => screen.getAllByTestId("tab").map((tab) => tab.textContent.trim());
const shown = () => screen.getAllByTestId("tab").findIndex((tab) => tab.getAttribute("aria-selected") === "true");
const addresses = ({ tabs }: Workspace) => tabs.map(({ router }) => router.url.pathname);
const press = (keys: string) => userEvent.keyboard(keys);
const THREE: WindowTabs = { tabs: [stored("/pages"), stored("/settings"), stored("/cache")], active: 1, beside: null, share: 50 };

describe("the keys", () => {
  it("open, choose, close and reopen tabs", async () => {
    const workspace = await open();
    await press("{Control>}t{/Control}");
    await waitFor(() => expect([shown(), addresses(workspace)]).toEqual([1, ["/settings", "/wiki/"]]));
    await press("{Control>}{Tab}{/Control}");
    await waitFor(() => expect(shown()).toBe(0));
    await press("{Control>}{Shift>}{Tab}{/Shift}{/Control}");
    await waitFor(() => expect(shown()).toBe(1));
    await press("{Control>}w{/Control}");
    await waitFor(() => expect(addresses(workspace)).toEqual(["/settings"]));
    expect(desktop.requestClose).not.toHaveBeenCalled();
    await press("{Control>}{Shift>}t{/Shift}{/Control}");
    await waitFor(() => expect([shown(), addresses(workspace)]).toEqual([1, ["/settings", "/wiki/"]]));
  });

  it("close the window with its last tab", async () => {
    await open();
    await press("{Control>}w{/Control}");
    expect(desktop.requestClose).toHaveBeenCalledOnce();
  });

  it("order tabs", async () => {
    const workspace = await open(THREE);
    await press("{Control>}{Shift>}{PageUp}{/Shift}{/Control}");
    expect(addresses(workspace)).toEqual(["/settings", "/pages", "/cache"]);
    await press("{Control>}{Shift>}{PageUp}{/Shift}{/Control}");
    expect(addresses(workspace)).toEqual(["/settings", "/pages", "/cache"]);
    await press("{Control>}{Shift>}{PageDown}{/Shift}{/Control}");
    expect(addresses(workspace)).toEqual(["/pages", "/settings", "/cache"]);
  });

  it("of a tab reach all its actions", async () => {
    const workspace = await open(THREE);
    screen.getAllByTestId("tab")[1]?.focus();
    await press("{ArrowRight}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getAllByTestId("tab")[2]));
    expect(shown()).toBe(2);
    await press("{Shift>}{F10}{/Shift}");
    expect((await screen.findByTestId("action-tab-close-right")).hasAttribute("disabled")).toBe(true);
    await press("{Escape}");
    await press("{Delete}");
    await waitFor(() => expect(addresses(workspace)).toEqual(["/pages", "/settings"]));
  });
});

describe("restored tabs", () => {
  it("show their titles before they are opened", async () => {
    await open({ ...THREE, tabs: [stored("/wiki/moss", "Moss"), stored("/settings"), stored("/wiki/gone", "Gone")] });
    expect([titles()[0], titles()[2], shown()]).toEqual(["Moss", "Gone", 1]);
  });

  it("show another address in the shown one", async () => {
    const workspace = await open(THREE, "/hashes");
    expect([addresses(workspace), shown()]).toEqual([["/pages", "/hashes", "/cache"], 1]);
  });

  it("leave a named folder its own tab", async () => {
    const workspace = await open(THREE, "/pictures/R1/");
    expect([addresses(workspace), shown()]).toEqual([["/pages", "/settings", "/cache", "/pictures/R1/"], 3]);
  });

  it("keep the scroll position of each", async () => {
    const workspace = await open({ ...THREE, tabs: [{ ...stored("/pages"), scroll: 70 }, { ...stored("/settings"), scroll: 90 }], active: 1 });
    expect(workspace.snapshot().tabs.map(({ scroll }) => scroll)).toEqual([70, 90]);
  });

  it("are stored when they change", async () => {
    const workspace = await open(THREE);
    workspace.open("/search?q=moss");
    const expected = ["/pages", "/settings", "/search?q=moss", "/cache"];
    await waitFor(() => expect(vi.mocked(desktop.noteTabs).mock.lastCall?.[0].tabs.map(({ address }) => address)).toEqual(expected));
    expect(vi.mocked(desktop.noteTabs).mock.lastCall?.[0].active).toBe(2);
  });
});

describe("a link", () => {
  const link = (href: string) => {
    const element = document.createElement("a");
    element.href = href;
    document.body.append(element);
    return element;
  };

  it("opens a tab behind or in front", async () => {
    const workspace = await open();
    const pages = link("/pages");
    await fireEvent(pages, new MouseEvent("auxclick", { bubbles: true, cancelable: true, button: 1 }));
    expect([addresses(workspace), shown()]).toEqual([["/settings", "/pages"], 0]);
    await fireEvent.click(pages, { ctrlKey: true, shiftKey: true });
    await waitFor(() => expect(shown()).toBe(1));
    expect(addresses(workspace)).toEqual(["/settings", "/pages", "/pages"]);
    pages.remove();
  });

  it("opens beside with Ctrl and Enter", async () => {
    const workspace = await open();
    const pages = link("/pages");
    pages.focus();
    await press("{Control>}{Enter}{/Control}");
    await screen.findByTestId("pane-beside");
    expect([workspace.beside?.router.url.pathname, app.pane === workspace.beside]).toEqual(["/pages", true]);
    await press("{Shift>}{F6}{/Shift}");
    await waitFor(() => expect(app.pane).toBe(workspace.active));
    await press("{F6}");
    await waitFor(() => expect(app.pane).toBe(workspace.beside));
    // It closes the pane, not a tab or the window.
    await press("{Control>}w{/Control}");
    await waitFor(() => expect(screen.queryByTestId("pane-beside")).toBeNull());
    expect([app.pane === workspace.active, vi.mocked(desktop.requestClose).mock.calls.length]).toEqual([true, 0]);
    pages.remove();
  });
});

it("the palette opens beside with Ctrl and Enter", async () => {
  const workspace = await open();
  app.overlay = "palette";
  await userEvent.type(await screen.findByTestId("palette-input"), "top page");
  await waitFor(() => expect(screen.getAllByTestId("palette-entry")[0]?.textContent).toContain("Top page"));
  await press("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(workspace.beside?.router.url.pathname).toBe("/wiki/"));
  expect([addresses(workspace), screen.queryByTestId("palette")]).toEqual([["/settings"], null]);
});

it("a row of the tree opens elsewhere", async () => {
  const workspace = await open();
  const choose = async (action: string) => {
    await fireEvent.contextMenu((await screen.findAllByTestId("pinned-page"))[0] as Element);
    await userEvent.click(await screen.findByTestId(action));
  };
  await choose("action-row-tab");
  await waitFor(() => expect([addresses(workspace), shown()]).toEqual([["/settings", "/wiki/moss"], 1]));
  await choose("action-row-beside");
  await waitFor(() => expect(workspace.beside?.router.url.pathname).toBe("/wiki/moss"));
});

describe("more tabs than fit", () => {
  const MANY: WindowTabs = { ...THREE, tabs: Array.from({ length: 40 }, (_, at) => stored(`/wiki/p${at}`)).toSpliced(20, 1, stored("/settings")), active: 20 };

  it("scroll to the shown one", async () => {
    const workspace = await open(MANY);
    const last = () => vi.mocked(Element.prototype.scrollIntoView).mock.contexts.at(-1);
    await waitFor(() => expect(last()).toBe(screen.getAllByTestId("tab")[20]?.parentElement));
    workspace.openNew();
    await waitFor(() => expect(screen.getAllByTestId("tab")).toHaveLength(41));
    await waitFor(() => expect(last()).toBe(screen.getAllByTestId("tab")[40]?.parentElement));
  });

  it("scroll to the shown one when narrowed", async () => {
    let narrow = () => {};
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(callback: () => void) {
          this.callback = callback;
        }
        readonly callback: () => void;
        observe(element: Element) {
          if (element.matches("[role=tablist]")) narrow = this.callback;
        }
        unobserve() {}
        disconnect() {}
      },
    );
    await open(MANY);
    const scroll = vi.mocked(Element.prototype.scrollIntoView);
    await waitFor(() => expect(scroll).toHaveBeenCalled());
    scroll.mockClear();
    narrow();
    expect(scroll.mock.contexts).toEqual([screen.getAllByTestId("tab")[20]?.parentElement]);
    vi.unstubAllGlobals();
  });

  it("scroll by the wheel", async () => {
    await open(MANY);
    const list = screen.getByTestId("tab-list");
    await fireEvent.wheel(list, { deltaY: 120 });
    expect(list.scrollLeft).toBe(120);
  });
});

it("each tab has its own history", async () => {
  const workspace = await open();
  await app.router.navigate("/pages");
  workspace.openNew();
  expect(app.router.canGoBack).toBe(false);
  workspace.step(-1);
  expect(app.router.canGoBack).toBe(true);
  app.router.goBack();
  await waitFor(() => expect(addresses(workspace)).toEqual(["/settings", "/wiki/"]));
});

it("only one pane answers to its view's keys", async () => {
  const workspace = await open();
  const [first, second] = [vi.fn(), vi.fn()];
  const register = (run: () => void, isActive: () => boolean) => app.shortcuts.register({ id: "x", label: "x", key: "x", run }, "view", isActive);
  const { active } = workspace;
  await workspace.openBeside("/pages");
  const { beside } = workspace;
  register(first, () => app.pane === active);
  register(second, () => app.pane === beside);
  workspace.focus(active);
  await press("x");
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0]);
});

describe("a tab with an editor", () => {
  it("keeps it while another is shown", async () => {
    const workspace = await open();
    await app.router.navigate("/edit/moss");
    workspace.openNew();
    expect(workspace.mounted.map(({ router }) => router.route.name)).toEqual(["edit", "wiki"]);
    expect(workspace.snapshot().tabs[0]?.address).toBe("/wiki/moss");
  });

  it("is shown instead of a second one", async () => {
    const workspace = await open();
    await app.router.navigate("/edit/moss");
    workspace.openNew();
    await app.router.navigate("/edit/moss");
    expect([addresses(workspace), workspace.tabs.indexOf(workspace.active)]).toEqual([["/edit/moss", "/wiki/"], 0]);
  });

  it("stays open if the editor refuses", async () => {
    const workspace = await open();
    await app.router.navigate("/edit/moss");
    const [editor] = workspace.tabs;
    if (editor === undefined) throw new Error("no tab");
    workspace.openNew();
    const allow = editor.router.beforeLeave(() => false);
    expect(await workspace.close(editor)).toBe(false);
    expect([workspace.tabs.length, workspace.active === editor]).toEqual([2, true]);
    allow();
    expect(await workspace.close(editor)).toBe(true);
  });
});

describe("the menu of a tab", () => {
  const choose = async (at: number, id: string) => {
    const tab = screen.getAllByTestId("tab")[at];
    if (tab === undefined) throw new Error("no tab");
    await fireEvent.contextMenu(tab);
    await userEvent.click(await screen.findByTestId(`action-${id}`));
  };

  it("closes the others, and those to the right", async () => {
    const workspace = await open(THREE);
    await choose(0, "tab-close-right");
    await waitFor(() => expect(addresses(workspace)).toEqual(["/pages"]));
    workspace.reopen();
    workspace.reopen();
    await waitFor(() => expect(screen.getAllByTestId("tab")).toHaveLength(3));
    await choose(2, "tab-close-others");
    await waitFor(() => expect(workspace.tabs).toHaveLength(1));
  });

  it("duplicates, and opens beside", async () => {
    const workspace = await open(THREE);
    await choose(2, "tab-duplicate");
    await waitFor(() => expect(addresses(workspace)).toEqual(["/pages", "/settings", "/cache", "/cache"]));
    await choose(0, "tab-beside");
    await waitFor(() => expect(workspace.beside?.router.url.pathname).toBe("/pages"));
  });
});

it("a middle click closes a tab", async () => {
  const workspace = await open(THREE);
  const tab = screen.getAllByTestId("tab")[0];
  if (tab === undefined) throw new Error("no tab");
  await fireEvent(tab, new MouseEvent("auxclick", { bubbles: true, button: 1 }));
  await waitFor(() => expect(addresses(workspace)).toEqual(["/settings", "/cache"]));
  expect(shown()).toBe(0);
});

it("a dragged tab moves past others", async () => {
  const workspace = await open(THREE);
  const at = (tab: Element) => screen.getAllByTestId("tab").indexOf(tab as HTMLElement) * 100;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    return new DOMRect(at(this), 0, 100, 30);
  });
  const [first] = screen.getAllByTestId("tab");
  if (first === undefined) throw new Error("no tab");
  const pointer = (type: string, clientX: number, target: EventTarget = window) => fireEvent(target as Window, new MouseEvent(type, { bubbles: true, clientX }));
  await pointer("pointerdown", 50, first);
  await pointer("pointermove", 53);
  expect(addresses(workspace)).toEqual(["/pages", "/settings", "/cache"]);
  await pointer("pointermove", 280);
  expect(addresses(workspace)).toEqual(["/settings", "/cache", "/pages"]);
  await pointer("pointerup", 280);
  await pointer("pointermove", 10);
  expect(addresses(workspace)).toEqual(["/settings", "/cache", "/pages"]);
  vi.restoreAllMocks();
});

it("a browser has no tabs of ours", async () => {
  history.replaceState(null, "", "/settings");
  app = new App(new FakeBackend());
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findByTestId("main");
  expect(screen.queryByTestId("tab-list")).toBeNull();
  expect(app.workspace).toBeNull();
});
