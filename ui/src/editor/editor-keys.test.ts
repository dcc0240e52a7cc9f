import { EditorView } from "@codemirror/view";
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LockTokens } from "../editing/locks/lock-tokens";
import { typedAhead } from "../editing/typed-ahead";
import { FakeServer } from "../testing/fake-server";
import "../testing/ranges";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import { retries } from "../widgets";
import { EditView } from ".";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
});

function open() {
  const parts = { path: "/p", backend: server.backend, host, tabId: Promise.resolve("tab") };
  return render(EditView, { ...parts, preview: { open: true, width: null }, onpreview: () => {} });
}

async function editor(): Promise<EditorView> {
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

/** Opens a new page, and types. */
async function write(text: string) {
  const page = server.add("/p", "text");
  new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
  open();
  const view = await editor();
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input" });
  return page;
}

/** True if the element shows the key of the same action. */
const shows = (element: HTMLElement, keys: string) => expect(element.getAttribute("aria-keyshortcuts")).toBe(keys);

describe("after another user's save", () => {
  beforeEach(async () => {
    const page = await write("mine");
    server.expire(page);
    server.overwrite(page, "theirs", "Ben");
    await host.act("editor-finish");
    await screen.findByTestId("editor-conflict");
  });

  it("a key compares, and the comparison can overwrite", async () => {
    shows(screen.getByTestId("conflict-compare"), "Control+Shift+b");
    expect(host.named("Mod+Shift+b")).toBe("Compare with that revision");
    await host.press("Mod+Shift+b");
    const dialog = await screen.findByTestId("compare");
    shows(screen.getByTestId("compare-other"), "Control+Shift+s");
    await fireEvent.keyDown(dialog, { key: "S", code: "KeyS", ctrlKey: true, shiftKey: true });
    await vi.waitFor(() => expect(server.at("/p")?.source?.text).toBe("mine"));
    expect(screen.queryByTestId("compare")).toBeNull();
  });

  it("the comparison offers merging first", async () => {
    await host.press("Mod+Shift+b");
    await fireEvent.keyDown(await screen.findByTestId("compare"), { key: "Enter", ctrlKey: true });
    await screen.findByTestId("merge");
    expect(screen.queryByTestId("compare")).toBeNull();
  });

  it("a key saves one's own text over it", async () => {
    shows(screen.getByTestId("conflict-accept"), "Control+Shift+s");
    expect(host.named("Mod+Shift+s")).toBe("Save mine anyway");
    await host.press("Mod+Shift+s");
    await vi.waitFor(() => expect(server.at("/p")?.source?.text).toBe("mine"));
    expect(host.questions).toEqual([]);
    expect([host.named("Mod+Shift+s"), host.named("Mod+Shift+b")]).toEqual([undefined, undefined]);
  });
});

it("keys typed during opening are in the text", async () => {
  const page = server.add("/p", "text");
  new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
  typedAhead.begin();
  for (const key of [" ", "m", "o"]) typedAhead.keep(new KeyboardEvent("keydown", { key }));
  open();
  expect(typedAhead.keep(new KeyboardEvent("keydown", { key: "!" }))).toBe(true);
  expect((await editor()).state.doc.toString()).toBe("text mo!");
  expect(typedAhead.keep(new KeyboardEvent("keydown", { key: "x" }))).toBe(false);
});

it("after a failed save, keys copy and retry", async () => {
  userEvent.setup();
  await write("precious");
  expect(host.named("Mod+Shift+c")).toBeUndefined();
  server.fault = "disk_full";
  await host.act("editor-finish");
  shows(await screen.findByTestId("copy-text"), "Control+Shift+c");
  shows(screen.getByTestId("save-again"), "Control+s");
  expect(host.named("Mod+Shift+c")).toBe("Copy text");
  await host.press("Mod+Shift+c");
  expect(await navigator.clipboard.readText()).toBe("precious");
});

it("a key toggles replacing one's own latest revision", async () => {
  server.me = "Aya";
  await write("better");
  const box = () => screen.getByTestId<HTMLInputElement>("editor-amend");
  shows(box(), "Control+Alt+r");
  expect(host.named("Mod+Alt+r")).toBe("Replace revision 1");
  await host.press("Mod+Alt+r");
  await waitFor(() => expect(box().checked).toBe(true));
  await host.press("Mod+Alt+r");
  await waitFor(() => expect(box().checked).toBe(false));
});

describe("in a narrow window with the preview in front", () => {
  beforeEach(async () => {
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(500);
    await write("text");
    await fireEvent.click(await screen.findByTestId("tab-preview"));
    await waitFor(() => expect(isShown()).toBe(false));
  });

  afterEach(() => void vi.restoreAllMocks());

  const isShown = () => screen.getByTestId("editor").closest("[hidden]") === null;

  it.each(["Mod+f", "Mod+h"])("%s brings the searched text to the front", async (key) => {
    await host.press(key);
    expect(isShown()).toBe(true);
    expect(document.querySelector(".cm-search")).not.toBeNull();
  });
});

it("a key adds files beside an open panel", async () => {
  await write("text");
  expect(host.named("Mod+Alt+a")).toBeUndefined();
  await host.press("Mod+Shift+l");
  await waitFor(() => expect(host.named("Mod+Alt+a")).toBe("Add files to this page"));
});

describe("before there is a text", () => {
  it("a key takes the lock", async () => {
    server.add("/p", "text");
    open();
    shows(await screen.findByTestId("editor-take-lock"), "e");
    expect(screen.queryByTestId("editor")).toBeNull();
    expect([host.named("e"), host.named("g")]).toEqual(["Edit here", "Read page"]);
    await host.press("e");
    expect((await editor()).state.doc.toString()).toBe("text");
    expect([host.named("e"), host.named("g")]).toEqual([undefined, undefined]);
  });

  it("a key returns to reading", async () => {
    server.add("/p", "text");
    open();
    await screen.findByTestId("editor-no-lock");
    expect([host.title, host.crumbs]).toEqual(["p", [{ label: "p" }]]);
    await host.press("g");
    expect(host.visited).toEqual(["/wiki/p"]);
  });

  it("a key takes over one's other tab's lock", async () => {
    const page = server.add("/p", "text");
    server.holder = server.me;
    await server.backend.locks.acquire(page.id);
    open();
    (await screen.findByTestId("editor-take-lock")).click();
    shows(await screen.findByTestId("editor-take-over"), "e");
    expect(host.named("e")).toBe("Edit here instead");
    await host.press("e");
    await editor();
  });

  it("the retry key opens a page once unlocked", async () => {
    const page = server.add("/p", "text");
    await server.backend.locks.acquire(page.id);
    open();
    (await screen.findByTestId("editor-take-lock")).click();
    expect((await screen.findByTestId("editor-taken")).textContent).toContain("Ben is editing this page.");
    expect(host.actions).toEqual([]);
    shows(screen.getByTestId("retry"), "t");
    expect(host.named("e")).toBeUndefined();
    server.expire(page);
    retries.run();
    await screen.findByTestId("editor-no-lock");
  });

  describe("of a page that has moved", () => {
    beforeEach(async () => {
      server.on("GET /api/pages/resolve", () => fail("page_not_found", { movedTo: "/q" }));
      open();
      await screen.findByTestId("editor-moved");
    });

    it("a key follows it", async () => {
      expect(host.named("g")).toBe("Go to page");
      await host.press("g");
      expect(host.visited).toEqual(["/wiki/q"]);
    });

    it("a key writes a new one", async () => {
      expect(host.named("e")).toBe("Create new page here");
      await host.press("e");
      await editor();
    });
  });
});
