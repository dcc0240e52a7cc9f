import { undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LockTokens } from "../editing/locks/lock-tokens";
import { passPosition, takePosition } from "../editing/page-position";
import { FakeServer } from "../testing/fake-server";
import "../testing/ranges";
import { StubHost } from "../testing/stub-host";
import { EditView } from ".";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
});

const onpreview = vi.fn();

function open(path = "/p", isTyped = false) {
  const parts = { path, backend: server.backend, host, tabId: Promise.resolve("tab"), isTyped };
  return render(EditView, { ...parts, preview: { open: true, width: null }, onpreview });
}

/** Locks the page as the reading view does before it opens the editor. */
async function lockFromReading(path: string): Promise<void> {
  const id = server.at(path)?.id ?? "";
  new LockTokens("tab").write(id, await server.backend.locks.acquire(id));
}

async function editor(): Promise<EditorView> {
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

function write(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input" });
}

it("is named by the page's title", async () => {
  const { id } = server.add("/p", "# Kyoto in Autumn");
  server.on("GET /api/pages/resolve", () => ({ id, revision: 1, title: "Kyoto in Autumn" }));
  await lockFromReading("/p");
  open();
  await editor();
  await vi.waitFor(() => expect([host.title, host.crumbs.at(-1)?.label]).toEqual(Array(2).fill("Editing Kyoto in Autumn")));
});

const state = () => host.statusItems.find(({ id }) => id === "save-state")?.text;

describe("writing", () => {
  it("creates a new page", async () => {
    open("/new");
    const view = await editor();
    write(view, "# 庭\n\n苔");
    // A page that is slow to render is rendered less often.
    const drawn = () => expect(screen.getByTestId("editor-preview").textContent).toContain("苔");
    await vi.waitFor(drawn);
    expect(state()).toMatch(/^Not saved ·/);
    await host.act("editor-finish");
    expect(server.at("/new")?.source).toMatchObject({ text: "# 庭\n\n苔", revision: 1 });
    expect(host.visited).toEqual(["/wiki/new"]);
  });

  it("continues after saving, with undo across the save", async () => {
    server.add("/p", "text");
    await lockFromReading("/p");
    open();
    const view = await editor();
    expect([view.state.doc.toString(), state()]).toEqual(["text", "Saved"]);
    expect(host.crumbs.map(({ label }) => label)).toEqual(["Editing p"]);
    write(view, "better");
    expect(host.actions.map(({ id, key }) => [id, key])).toEqual([["editor-cancel", "Mod+Shift+e"], ["editor-save", "Mod+s"], ["editor-finish", "Mod+Enter"]]);
    await host.act("editor-save");
    expect(server.at("/p")?.source).toMatchObject({ text: "better", revision: 2 });
    expect(server.at("/p")?.token).not.toBeNull();
    expect(state()).toBe("Saved");
    expect([host.visited, host.toasts]).toEqual([[], []]);
    undo(view);
    expect(view.state.doc.toString()).toBe("text");
    await host.act("editor-finish");
    expect(server.at("/p")?.source).toMatchObject({ text: "text", revision: 3 });
    expect(host.visited).toEqual(["/wiki/p"]);
  });

  it("opens at the reading position, returns its own", async () => {
    server.add("/p", "# One\n\ntwo three four\n\nfive");
    await lockFromReading("/p");
    passPosition("/p", 2.5);
    open();
    const { main } = (await editor()).state.selection;
    expect([main.head, main.empty]).toEqual(["# One\n\ntwo three four".length, true]);
    await host.act("editor-cancel");
    expect(takePosition("/p")).not.toBeNull();
  });

  it("shows the page's current and future path", async () => {
    open("/旅/京都");
    await editor();
    expect(host.crumbs.map(({ label, href }) => [label, href])).toEqual([
      ["旅", "/wiki/%E6%97%85"],
      ["New page: 京都", undefined],
    ]);
  });

  it("keeps the text when saving fails, with advice", async () => {
    open("/new");
    write(await editor(), "precious");
    server.fault = "disk_full";
    await host.act("editor-finish");
    const notice = await screen.findByTestId("save-failed");
    expect(notice.textContent).toContain("The disk is full");
    expect(host.visited).toEqual([]);
    expect((await editor()).state.doc.toString()).toBe("precious");
    server.fault = null;
    screen.getByTestId("save-again").click();
    await vi.waitFor(() => expect(host.visited).toEqual(["/wiki/new"]));
  });

  it("saves on leaving, but stays after a failure", async () => {
    open("/new");
    write(await editor(), "precious");
    host.confirmAnswer = "instead";
    server.fault = "disk_full";
    await host.act("editor-cancel");
    await screen.findByTestId("save-failed");
    expect(host.visited).toEqual([]);
    server.fault = null;
    await host.act("editor-cancel");
    expect(server.at("/new")?.source?.text).toBe("precious");
    expect(host.visited).toEqual(["/wiki/new"]);
  });

  it("does not navigate once the user has left", async () => {
    server.add("/p", "text");
    await lockFromReading("/p");
    const { unmount } = open();
    write(await editor(), "mine");
    const saving = host.act("editor-finish");
    unmount();
    await saving;
    expect(server.at("/p")?.source?.text).toBe("mine");
    expect(host.visited).toEqual([]);
  });

  it("counts changed links and lists them on request", async () => {
    server.add("/p", "text");
    server.changedLinks.push({ page: "/p", link: "beside", before: "/x", after: "/y" });
    await lockFromReading("/p");
    open();
    write(await editor(), "mine");
    await host.act("editor-finish");
    expect(host.toasts[0]).toBe("1 link now points to a different page.");
    expect(host.links).toEqual([]);
    await host.open[0]?.options.action?.run();
    expect(host.links).toEqual([{ page: "/p", link: "beside", before: "/x", after: "/y" }]);
  });

  it("asks before saving over another user's revision", async () => {
    const page = server.add("/p", "text");
    await lockFromReading("/p");
    open();
    write(await editor(), "mine");
    server.expire(page);
    server.overwrite(page, "theirs", "Ben");
    await host.act("editor-finish");
    expect((await screen.findByTestId("editor-conflict")).textContent).toContain("Ben");
    host.confirmAnswer = false;
    await host.act("editor-finish");
    expect(page.source?.text).toBe("theirs");
    host.confirmAnswer = true;
    await host.act("editor-finish");
    expect(page.source?.text).toBe("mine");
  });
});

describe("a typed address", () => {
  it("without a page takes no lock until requested", async () => {
    open("/new", true);
    await screen.findByTestId("page-not-found");
    expect(server.at("/new")).toBeUndefined();
    expect(host.actions).toEqual([]);
    await host.press("e");
    expect((await editor()).state.doc.toString()).toBe("# new\n\n");
    expect(server.at("/new")?.token).not.toBeNull();
  });

  it("of a reloaded editor goes on", async () => {
    const first = open("/new");
    write(await editor(), "begun");
    await vi.waitFor(() => expect(server.entries).toHaveLength(1));
    const draft = server.at("/new");
    if (draft !== undefined) server.expire(draft);
    first.unmount();
    open("/new", true);
    await vi.waitFor(async () => expect((await editor()).state.doc.toString()).toBe("begun"));
  });
});

describe("in trouble", () => {
  beforeEach(async () => {
    const page = server.add("/p", "text");
    server.holder = server.me;
    await lockFromReading("/p");
    open();
    write(await editor(), "mine");
    await server.backend.locks.acquire(page.id, true);
    await host.act("editor-finish");
    await screen.findByTestId("save-failed");
  });

  it.each([
    ["a press", () => Promise.resolve(screen.getByTestId("lock-take-over").click())],
    ["a key", () => host.press("Mod+Shift+h")],
  ])("takes the lock from another tab by %s", async (_, act) => {
    await act();
    await vi.waitFor(() => expect(screen.queryByTestId("save-failed")).toBeNull());
    await host.act("editor-finish");
    expect(server.at("/p")?.source?.text).toBe("mine");
  });

  it("reports a failed copy and selects the text", async () => {
    screen.getByText("Copy text").click();
    await vi.waitFor(() => expect(host.toasts.join()).toContain("you can copy it yourself"));
    const { main } = (await editor()).state.selection;
    expect([main.from, main.to]).toEqual([0, 4]);
  });
});

describe("unsaved text of an earlier session", () => {
  beforeEach(async () => {
    await server.backend.autosave.put("gone", "other", { path: "/new", base_revision: null, source: "a poem", seq: 1 });
  });

  const text = (view: EditorView) => view.state.doc.toString();
  /** The page has a text of its own by now, so the draft is only offered. */
  async function openSaved(): Promise<EditorView> {
    server.add("/new", "saved");
    await lockFromReading("/new");
    open("/new");
    return await editor();
  }

  it("opens at its end on a new page", async () => {
    open("/new");
    const view = await editor();
    await vi.waitFor(() => expect(text(view)).toBe("a poem"));
    expect(view.state.selection.main.head).toBe("a poem".length);
    expect(screen.queryByTestId("autosave-offer")).toBeNull();
    await vi.waitFor(() => expect(server.entries.map(({ page_id }) => page_id)).toEqual([server.at("/new")?.id]));
  });

  it("is offered again by undo, and not merged", async () => {
    open("/new");
    const view = await editor();
    await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
    await host.open.at(-1)?.options.action?.run();
    await screen.findByTestId("autosave-offer");
    expect(text(view)).toBe("# new\n\n");
    expect(state()).toBe("Nothing written yet");
    write(view, "# new\n\n\n");
    screen.getByTestId("autosave-restore").click();
    await vi.waitFor(() => expect(text(view)).toBe("a poem"));
    expect(screen.queryByTestId("merge")).toBeNull();
  });

  it("is opened at once from the reading view", async () => {
    await server.backend.autosave.put("gone", "another", { path: "/new", base_revision: null, source: "a newer poem", seq: 1 });
    history.replaceState(null, "", `/edit/new?take=${server.entries.find(({ source }) => source === "a poem")?.id}`);
    open("/new");
    const view = await editor();
    await vi.waitFor(() => expect(text(view)).toBe("a poem"));
    expect(screen.getAllByTestId("autosave-offer")).toHaveLength(1);
  });

  it("is applied, compared and discarded by keys", async () => {
    const view = await openSaved();
    await host.press("Mod+Shift+d");
    await screen.findByTestId("compare");
    await host.press("Mod+Shift+x");
    await vi.waitFor(() => expect(server.entries).toEqual([]));
    await vi.waitFor(() => expect([...host.shortcuts].some(({ id }) => id === "offer-take")).toBe(false));
    expect(text(view)).toBe("saved");
  });

  it("is discarded at once, and can be restored", async () => {
    await openSaved();
    (await screen.findByTestId("autosave-discard")).click();
    await vi.waitFor(() => expect(host.toasts).toEqual(["Draft discarded."]));
    expect(host.questions).toEqual([]);
    expect(server.entries).toEqual([]);
    await host.open[0]?.options.undo?.();
    expect(server.entries).toMatchObject([{ source: "a poem" }]);
    await screen.findByTestId("autosave-offer");
  });
});

it("a key toggles the preview, which is remembered", async () => {
  const { rerender } = open("/new");
  await editor();
  expect(screen.queryByTestId("editor-preview")).not.toBeNull();
  await vi.waitFor(() => host.press("Mod+e"));
  expect(onpreview).toHaveBeenLastCalledWith({ open: false, width: null });
  await rerender({ preview: { open: false, width: 400 } });
  expect(screen.queryByTestId("editor-preview")).toBeNull();
  await host.press("Mod+e");
  expect(onpreview).toHaveBeenLastCalledWith({ open: true, width: 400 });
});

it("leaves no trace of a discarded new page", async () => {
  open("/new");
  await editor();
  await host.act("editor-cancel");
  expect(server.at("/new")).toBeUndefined();
  expect(sessionStorage).toHaveLength(0);
  expect(host.visited).toEqual(["/wiki/new"]);
});

describe("at the path of a deleted page", () => {
  beforeEach(() => {
    const facts = { path: "/p", deleted_at: "2026-11-20T09:00:00Z", user_name: "Ben", deletion: "D", revision: 2, along: 0 };
    server.inTrash.push({ ...facts, page_id: "d1", cursor: "c" });
  });

  it("creates nothing without confirmation", async () => {
    open();
    await screen.findByTestId("deleted-here");
    expect(server.pages).toEqual([]);
    await host.press("r");
    expect(host.visited).toEqual(["/wiki/p"]);
    expect(server.at("/p")?.source?.text).toBe("restored d1");
  });

  it("creates a new page on request", async () => {
    open();
    await screen.findByTestId("deleted-here");
    await host.press("e");
    await editor();
    expect(server.inTrash).toHaveLength(1);
  });
});
