import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { FakeBackend, fakeDesktop, page } from "../testing/fake-backend";
import { App } from "./app.svelte";
import Frame from "./Frame.svelte";
import { ViewState } from "./view-state.svelte";
import { loadFolders } from "../folders/view";
import { loadPages } from "../pages/view";

let backend: FakeBackend;
let app: App;
let stop = () => {};

beforeEach(() => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
});
afterEach(() => stop());

function open(): void {
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
}

async function openShell(): Promise<void> {
  open();
  await screen.findByTestId("activity-bar");
}

describe("the first visit", () => {
  beforeEach(() => {
    backend.user = null;
    open();
  });
  const field = () => screen.findByTestId("greeting-name");

  it("asks for a name once", async () => {
    await userEvent.type(await field(), " 綾 {Enter}");
    expect(await screen.findByTestId("activity-bar")).toBeDefined();
    expect(backend.users.create).toHaveBeenCalledExactlyOnceWith("綾");
    expect(screen.queryByTestId("greeting")).toBeNull();
  });

  it("ignores the Enter that ends a conversion", async () => {
    const input = await field();
    await userEvent.type(input, "あや");
    const byFlag = await fireEvent.keyDown(input, { key: "Enter", isComposing: true });
    const byCode = await fireEvent.keyDown(input, { key: "Process", keyCode: 229 });
    expect([byFlag, byCode]).toEqual([false, true]);
    expect(backend.users.create).not.toHaveBeenCalled();
  });

  it("names the missing value", async () => {
    await userEvent.type(await field(), "{Enter}");
    expect(screen.getByText("Enter a name.")).toBeDefined();
    expect(backend.users.create).not.toHaveBeenCalled();
  });

  it("explains a rejected name, and accepts another", async () => {
    backend.users.create.mockRejectedValueOnce(new ApiError("name_taken", 409, ""));
    await userEvent.type(await field(), "Aya{Enter}");
    expect(await screen.findByText("This name is already in use.")).toBeDefined();
    await userEvent.type(await field(), "2{Enter}");
    expect(await screen.findByTestId("activity-bar")).toBeDefined();
  });
});

describe("a start that fails", () => {
  it.each([
    ["unauthenticated", "You’re not signed in"],
    ["unreachable", "Fumikura isn’t responding"],
    ["storage_failed", "Couldn’t write to the disk"],
    ["internal", "Something went wrong"],
  ] as const)("for %s is explained, and continues once possible", async (fault, title) => {
    backend.fault = fault;
    open();
    expect(await screen.findByRole("heading", { name: title })).toBeDefined();
    backend.fault = null;
    await userEvent.click(screen.getByTestId("retry"));
    expect(await screen.findByTestId("activity-bar")).toBeDefined();
  });

  it("continues by itself when the server is back", async () => {
    backend.fault = "unreachable";
    open();
    await screen.findByTestId("start-failed");
    backend.fault = null;
    backend.connect(true);
    expect(await screen.findByTestId("activity-bar")).toBeDefined();
  });
});

describe("the frame", () => {
  it("lists the views and marks the open one", async () => {
    await openShell();
    const links = within(screen.getByTestId("activity-bar")).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("aria-label"))).toEqual(["Wiki", "Pictures", "Hash records", "Settings"]);
    expect(screen.getByTestId("activity-settings").getAttribute("aria-current")).toBe("page");
    expect(document.title).toBe("Settings – Fumikura");
  });

  it("reports a lost connection and failing writes", async () => {
    await openShell();
    backend.connect(false);
    expect((await screen.findByTestId("connection")).textContent).toContain("No connection");
    app.session.observe({ method: "PUT", error: new ApiError("disk_full", 507, "") });
    expect((await screen.findByTestId("banner")).textContent).toContain("Couldn’t write to the disk");
    app.session.observe({ method: "GET", error: null });
    expect(screen.queryByTestId("banner")).not.toBeNull();
    app.session.observe({ method: "PUT", error: null });
    await waitFor(() => expect(screen.queryByTestId("banner")).toBeNull());
  });

  it("removes the report once the server answers", async () => {
    await openShell();
    backend.fault = "unreachable";
    app.session.observe({ method: "GET", error: new ApiError("unreachable", 0, "") });
    await screen.findByTestId("banner");
    backend.fault = null;
    await waitFor(() => expect(screen.queryByTestId("banner")).toBeNull());
  });

  it("reports a lost server once, with one retry", async () => {
    await openShell();
    backend.fault = "unreachable";
    await app.router.navigate("/pages");
    await loadPages();
    expect((await screen.findByTestId("error-state")).textContent).toContain("Fumikura isn’t responding. Everything you saved is safe.");
    expect(screen.getByTestId("retry")).toBeDefined();
    app.session.observe({ method: "GET", error: new ApiError("unreachable", 0, "") });
    await screen.findByTestId("banner");
    expect(screen.getByTestId("error-state").textContent.trim()).toBe("Couldn’t load the list of pages");
    expect(screen.queryByTestId("retry")).toBeNull();
    backend.fault = null;
    vi.spyOn(app.session, "retry").mockImplementation(() => {
      app.session.observe({ method: "GET", error: null });
      return Promise.resolve();
    });
    await userEvent.click(screen.getByTestId("banner-retry"));
    await waitFor(() => expect(screen.queryByTestId("error-state")).toBeNull());
    expect(screen.queryByTestId("banner")).toBeNull();
  });

  it("requests only settings differing from the server's HTML", async () => {
    app = new App(backend);
    stop = app.start({ since: "launch-1", settings: backend.settingsNow, user: backend.user, page: null, unsaved: false });
    backend.settingsNow = { ...backend.settingsNow, theme: "dark" };
    const get = vi.spyOn(backend.settings, "get");
    backend.connect(true);
    expect(get).not.toHaveBeenCalled();
    backend.emit("settings.changed", {});
    await waitFor(() => expect(app.session.settings.theme).toBe("dark"));
    expect(get).toHaveBeenCalledOnce();
  });

  it("remembers the side panel's toggling by Ctrl B", async () => {
    await openShell();
    expect(screen.getByTestId("side-panel")).toBeDefined();
    await userEvent.keyboard("{Control>}b{/Control}");
    await waitFor(() => expect(screen.queryByTestId("side-panel")).toBeNull());
    expect(backend.settings.patch).toHaveBeenCalledWith({ side_panel: { open: false, width: 248 } });
  });

  it("lists the top bar's keys before the view's", async () => {
    await openShell();
    const view = new ViewState();
    view.actions = [
      { id: "other", label: "Other", key: "o", run: () => {} },
      { id: "main", label: "Main", key: "m", primary: true, run: () => {} },
    ];
    app.enter(view);
    for (const id of ["apart", "other", "main"]) app.shortcuts.register({ id, label: `The ${id}`, key: id.charAt(0), run: () => {} }, "view");
    app.overlay = "keys";
    const dialog = await screen.findByTestId("keys-dialog");
    const terms = [...dialog.querySelectorAll("dt")].map((term) => term.textContent).filter((label) => label.startsWith("The "));
    expect(terms).toEqual(["The main", "The other", "The apart"]);
  });

  it("follows settings changed in another window", async () => {
    await openShell();
    backend.settingsNow = { ...backend.settingsNow, language: "ja", theme: "dark" };
    backend.emit("settings.changed", {});
    expect(await screen.findByRole("heading", { name: "設定" })).toBeDefined();
    expect(document.documentElement.dataset["theme"]).toBe("dark");
  });

  it("restores a setting that could not be saved", async () => {
    await openShell();
    backend.settings.patch.mockRejectedValueOnce(new ApiError("read_only", 507, ""));
    await userEvent.click(screen.getByTestId("theme-dark"));
    expect(await screen.findByText(/Couldn’t save the setting\. The disk is read-only/)).toBeDefined();
    expect(document.documentElement.dataset["theme"]).toBe("light");
  });
});

it("reports unexpected failures", async () => {
  await openShell();
  const failed = (reason: unknown) => window.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason }));
  failed(new DOMException("given up", "AbortError"));
  expect(screen.queryByTestId("toast")).toBeNull();
  failed(new TypeError("undefined is not a function"));
  expect((await screen.findByTestId("toast")).textContent).toContain("Something unexpected happened");
});

it("status items have short words when very narrow", async () => {
  await openShell();
  app.view.status = [{ id: "count", text: "3 pictures", testId: "one" }, { id: "watching", text: "Checked every few seconds", short: "Shows late", testId: "other" }];
  await tick();
  expect(screen.getByTestId("one").textContent.trim()).toBe("3 pictures");
  const [whole, short] = screen.getByTestId("other").children;
  expect([whole?.className, whole?.textContent, short?.className, short?.textContent].map((words) => words?.replace(/ svelte.*/, ""))).toEqual([
    "whole",
    "Checked every few seconds",
    "short",
    "Shows late",
  ]);
});

it("a message gets full time after a dialog", async () => {
  await openShell();
  vi.useFakeTimers();
  try {
    app.toast("before");
    app.overlay = "keys";
    await tick();
    app.toast("meanwhile", { undo: () => Promise.resolve() });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.queryAllByTestId("toast")).toEqual([]);
    app.overlay = null;
    await vi.advanceTimersByTimeAsync(7_000);
    expect(screen.getAllByTestId("toast").map((toast) => toast.textContent)).toEqual([
      expect.stringContaining("before"),
      expect.stringContaining("meanwhile"),
    ]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(screen.queryAllByTestId("toast")).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it("a double click never triggers the replacing action", async () => {
  await openShell();
  const [save, edit] = [vi.fn(), vi.fn()];
  const actions = (id: string, run: () => void) => {
    const view = new ViewState();
    view.actions = [{ id, label: id, primary: true, run }];
    app.enter(view);
  };
  actions("edit", edit);
  await fireEvent.click(await screen.findByTestId("action-edit"), { detail: 1 });
  actions("save", save);
  await fireEvent.click(await screen.findByTestId("action-save"), { detail: 2 });
  expect(edit).toHaveBeenCalledOnce();
  expect(save).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByTestId("action-save"), { detail: 1 });
  expect(save).toHaveBeenCalledOnce();
});

describe("the window", () => {
  it("is notified once all listeners are registered", async () => {
    const desktop = fakeDesktop();
    backend.desktop = desktop;
    await openShell();
    await waitFor(() => expect(desktop.listening).toHaveBeenCalledOnce());
  });

  it("closes with unsaved text only after an answer", async () => {
    let close: (closing: { may_stay: boolean }) => void = () => {};
    const desktop = fakeDesktop({
      onWindowClosing: (handler) => {
        close = handler;
        return Promise.resolve(() => {});
      },
    });
    backend.desktop = desktop;
    await openShell();
    app.closing.add(() => "unsaved");
    close({ may_stay: true });
    expect((await screen.findByTestId("question")).textContent).toContain("Couldn’t keep a draft of your text");
    expect(desktop.keepWindow).toHaveBeenCalledOnce();
    await userEvent.click(screen.getByTestId("question-no"));
    expect(desktop.closeWindow).not.toHaveBeenCalled();
    close({ may_stay: true });
    await userEvent.click(await screen.findByTestId("question-yes"));
    await waitFor(() => expect(desktop.closeWindow).toHaveBeenCalledOnce());
  });
});

describe("a question", () => {
  it("lists its items, each with a note", async () => {
    await openShell();
    const each = [{ name: "a.jpg", words: "It has changed since." }];
    const answer = app.confirmations.ask({ title: "Not all", message: "2 files stay", each, more: "and 1 more", confirm: "Undo the rest" });
    const rows = [...(await screen.findByTestId("question-each")).children].map((row) => row.textContent);
    expect(rows).toEqual(["a.jpgIt has changed since.", "and 1 more"]);
    await userEvent.click(screen.getByTestId("question-yes"));
    expect(await answer).toBe(true);
  });
});

describe("the side panel", () => {
  it("shows each recently changed page's title and time", async () => {
    backend.pagesNow = [{ ...page("/notes/lens-notes", 1), title: "Care of lenses" }, page("/b", 5), page("/", 90)];
    await openShell();
    const rows = [...(await screen.findByTestId("recent")).querySelectorAll("a")];
    expect(rows.map((row) => row.querySelector("bdi")?.textContent)).toEqual(["Care of lenses", "b", "Top page"]);
    expect(rows.every((row) => row.querySelector("small")?.textContent !== "")).toBe(true);
  });

  // The code of the folder view takes seconds to load for the first time.
  beforeAll(loadFolders);

  it("opens further folders, counts pictures of open ones", async () => {
    backend.rootsNow = [{ id: "R0", name: "Scans", path: "/scans", available: true }];
    const entry = { name: "a.jpg", kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z" };
    backend.entries = [{ ...entry, name: "2026", kind: "folder" }, entry, { ...entry, name: "b.jpg" }];
    backend.desktop = fakeDesktop({ pickFolder: () => Promise.resolve({ grant: "G1", name: "Photos" }) });
    await openShell();
    await app.router.navigate("/pictures/R0/2026");
    await waitFor(() => expect(screen.getByTestId("side-panel").textContent.replace(/\s+/g, " ")).toContain("Scans 2"));
    await userEvent.click(await screen.findByTestId("folder-add"));
    await waitFor(() => expect(location.pathname).toBe("/pictures/R1/"));
  });
});

it("the palette offers and finds recent picture folders", async () => {
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.visitedFolders = ["2026/京都", "Garden"].map((path) => ({ root: "R1", path, at: "2026-11-20T00:00:00Z" }));
  await openShell();
  await userEvent.keyboard("{Control>}k{/Control}");
  const offered = () => screen.getAllByTestId("palette-entry").map((entry) => entry.textContent.trim().replace(/\s+/g, " "));
  await waitFor(() => expect(offered().filter((entry) => entry.includes("Photos"))).toEqual(["京都 Photos/2026", "Garden Photos"]));
  await userEvent.keyboard("gard");
  await waitFor(() => expect(offered()[0]).toBe("Garden Photos"));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(location.pathname).toBe("/pictures/R1/Garden"));
  // The open folder is not offered.
  await userEvent.keyboard("{Control>}k{/Control}");
  await waitFor(() => expect(offered().filter((entry) => entry.includes("Photos"))).toEqual(["京都 Photos/2026"]));
});

describe("the palette", () => {
  beforeEach(async () => {
    backend.pagesNow = [page("/"), page("/レンズの手入れ", 5), page("/旅/京都", 9)];
    await openShell();
    await userEvent.keyboard("{Control>}k{/Control}");
    await screen.findByTestId("palette");
  });
  const entries = () => screen.getAllByTestId("palette-entry").map((entry) => entry.textContent.trim().replace(/\s+/g, " "));

  it("finds and opens a page by its reading", async () => {
    await userEvent.keyboard("れんず");
    await waitFor(() => expect(entries()[0]).toBe("レンズの手入れ"));
    await userEvent.keyboard("{Enter}");
    expect(location.pathname).toBe(`/wiki/${encodeURIComponent("レンズの手入れ")}`);
    expect(screen.queryByTestId("palette")).toBeNull();
  });

  it("opens the typed text's entry despite early Enter", async () => {
    await userEvent.keyboard("レンズ{Enter}");
    await waitFor(() => expect(location.pathname).toBe(`/wiki/${encodeURIComponent("レンズの手入れ")}`));
  });

  it("reports when only commands can be searched", async () => {
    backend.fault = "unreachable";
    await userEvent.keyboard("side panel");
    await screen.findByText("Pages can’t be searched right now. Only commands are shown.");
    expect(entries()[0]).toContain("Show or hide side panel");
  });

  it("finds commands with their keys", async () => {
    await userEvent.keyboard("side panel");
    await waitFor(() => expect(entries()[0]).toContain("Show or hide side panel"));
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByTestId("side-panel")).toBeNull());
  });

  it("offers the top bar's actions before other commands", async () => {
    const view = new ViewState();
    view.actions = [
      { id: "other", label: "Other", key: "o", run: () => {} },
      { id: "main", label: "Main", key: "m", primary: true, run: () => {} },
    ];
    app.enter(view);
    for (const id of ["apart", "other", "main"]) app.shortcuts.register({ id, label: `The ${id}`, key: id.charAt(0), run: () => {} }, "view");
    app.shortcuts.register({ id: "undo", label: "Undo it", key: "z", run: () => {} }, "everywhere");
    const commands = () => screen.getAllByTestId("palette-entry").map((entry) => entry.querySelector(".label")?.textContent ?? "");
    await waitFor(() => expect(commands()).toContain("Undo it"));
    const order = ["The main", "The other", "The apart", "Undo it", "Show or hide side panel"];
    expect(commands().filter((label) => order.includes(label))).toEqual(order);
  });

  it("offers to create a missing page", async () => {
    await userEvent.keyboard("/旅/金沢{ArrowUp}{Enter}");
    expect(location.pathname).toBe(`/edit/${encodeURIComponent("旅")}/${encodeURIComponent("金沢")}`);
  });
});

describe("links", () => {
  it("to other sites are opened after confirmation", async () => {
    const desktop = fakeDesktop();
    backend.desktop = desktop;
    await openShell();
    const answer = app.externalLinks.open("https://example.com/x");
    expect((await screen.findByTestId("question")).textContent).toContain("https://example.com/x");
    await userEvent.click(screen.getByTestId("question-yes"));
    await answer;
    expect(desktop.openExternal).toHaveBeenCalledExactlyOnceWith("https://example.com/x");
  });

  it("reported by the window need confirmation, too", async () => {
    let follow: (link: { url: string }) => void = () => {};
    const desktop = fakeDesktop({
      onOutsideLink: (handler) => {
        follow = handler;
        return Promise.resolve(() => {});
      },
    });
    backend.desktop = desktop;
    await openShell();
    follow({ url: "https://example.com/middle" });
    await userEvent.click(await screen.findByTestId("question-yes"));
    await waitFor(() => expect(desktop.openExternal).toHaveBeenCalledExactlyOnceWith("https://example.com/middle"));
  });

  it("to other sites stay closed when declined", async () => {
    const desktop = fakeDesktop();
    backend.desktop = desktop;
    await openShell();
    const answer = app.externalLinks.open("https://example.com/x");
    await userEvent.click(await screen.findByTestId("question-no"));
    await answer;
    expect(desktop.openExternal).not.toHaveBeenCalled();
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "not an address"])("such as %s are never opened", async (address) => {
    const opened = vi.spyOn(window, "open");
    await openShell();
    await app.externalLinks.open(address);
    expect(await screen.findByText("Only web and mail links can be opened.")).toBeDefined();
    expect(opened).not.toHaveBeenCalled();
  });
});
