import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AddedFile, FilesDropped } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { passPictures, PICTURES_TYPE } from "../../editing/files/picture-transfer";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { fakeDesktop } from "../../testing/fake-backend";
import { FakeServer } from "../../testing/fake-server";
import "../../testing/ranges";
import { StubHost } from "../../testing/stub-host";
import { EditView } from "..";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/new");
  server = new FakeServer();
  host = new StubHost();
});

async function open(desktop: ReturnType<typeof fakeDesktop> | null = null): Promise<EditorView> {
  const backend = { ...server.backend, desktop };
  const preview = { open: false, width: null };
  render(EditView, { path: "/new", backend, host, tabId: Promise.resolve("tab"), preview, onpreview: vi.fn() });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  // Replaces the heading of a new page.
  write(view, "");
  return view;
}

const file = (name: string, type = "image/png") => new File(["x"], name, { type });
const text = (view: EditorView) => view.state.doc.toString();
const filesOf = (path: string) => server.files.get(server.at(path)?.id ?? "");

/** Creates an event with files, which the tests' documents lack. */
function transfer(target: EventTarget, kind: "paste" | "drop", files: File[], plain = ""): Event {
  const data = { files, types: files.length > 0 ? ["Files"] : [], getData: (type: string) => (type === "text/plain" ? plain : "") };
  const event = new Event(kind, { bubbles: true, cancelable: true });
  Object.assign(event, kind === "paste" ? { clipboardData: data } : { dataTransfer: data, clientX: 0, clientY: 0 });
  target.dispatchEvent(event);
  return event;
}

function write(view: EditorView, written: string): void {
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: written },
    selection: { anchor: written.length },
    userEvent: "input",
  });
}

it("a pasted picture is added to the draft", async () => {
  const view = await open();
  write(view, "苔: ");
  transfer(view.contentDOM, "paste", [file("moss.png")]);
  await vi.waitFor(() => expect(text(view)).toBe("苔: ![](asset:moss.png)"));
  expect(filesOf("/new")).toEqual(["moss.png"]);
  expect(view.state.selection.main.head).toBe(text(view).length);
});

it("closing a new page asks about files alone", async () => {
  const view = await open();
  const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  transfer(view.contentDOM, "paste", [file("moss.png")]);
  await vi.waitFor(() => expect(text(view)).toBe("![](asset:moss.png)"));
  write(view, "");
  await vi.waitFor(() => expect(host.statusItems.some(({ id }) => id === "bringing")).toBe(false));
  expect(asks()).toBe(true);
});

it("an upload is linked in place despite typing", async () => {
  const view = await open();
  write(view, "before after");
  view.dispatch({ selection: { anchor: 7 } });
  transfer(view.contentDOM, "paste", [file("a.png"), file("b.txt", "text/plain")]);
  expect(view.dom.querySelector(".cm-arriving")?.textContent).toContain("a.png");
  flushSync();
  expect(host.statusItems.some(({ id }) => id === "bringing")).toBe(true);
  view.dispatch({ changes: { from: 0, insert: "> " }, userEvent: "input" });
  await vi.waitFor(() => expect(text(view)).toBe("> before ![](asset:a.png)\n[b.txt](asset:b.txt)after"));
  expect(view.dom.querySelector(".cm-arriving")).toBeNull();
});

it("numbers used names and dates unnamed pictures", async () => {
  const view = await open();
  server.files.set(server.at("/new")?.id ?? "", ["a.png"]);
  transfer(view.contentDOM, "drop", [file("a.png")]);
  await vi.waitFor(() => expect(text(view)).toBe("![](asset:a-2.png)"));
  write(view, "");
  transfer(view.contentDOM, "paste", [file("image.png")]);
  await vi.waitFor(() => expect(text(view)).toMatch(/^!\[\]\(asset:picture-\d{8}-\d{6}\.png\)$/));
});

it("a failed upload is reported, keeping the text", async () => {
  const view = await open();
  write(view, "precious");
  server.fault = "disk_full";
  transfer(view.contentDOM, "paste", [file("a.png")]);
  await vi.waitFor(() => expect(host.toasts.join()).toContain("a.png"));
  expect(text(view)).toBe("precious");
  expect(view.dom.querySelector(".cm-arriving")).toBeNull();
  server.fault = null;
  await host.open.find(({ options }) => options.action)?.options.action?.run();
  await vi.waitFor(() => expect(text(view)).toBe("precious![](asset:a.png)"));
});

it("text is pasted without its copied picture", async () => {
  const view = await open();
  expect(transfer(view.contentDOM, "paste", [file("image.png")], "a table").defaultPrevented).toBe(true);
  expect(filesOf("/new")).toBeUndefined();
  expect(host.statusItems.some(({ id }) => id === "bringing")).toBe(false);
});

it("a file dropped beside the text is added", async () => {
  const view = await open();
  const event = transfer(document.body, "drop", [file("a.pdf", "application/pdf")]);
  expect(event.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(text(view)).toBe("[a.pdf](asset:a.pdf)"));
});

it("a save waits for uploads", async () => {
  const view = await open();
  transfer(view.contentDOM, "paste", [file("a.png")]);
  await host.act("editor-finish");
  expect(server.at("/new")?.source?.text).toBe("![](asset:a.png)");
});

const added = (file_name: string, mime: string): AddedFile =>
  ({ name: file_name, asset: { file_name, mime }, error: null }) as AddedFile;

it("the window reads the clipboard's other pictures", async () => {
  const pasteFiles = vi.fn(() => Promise.resolve([added("picture-1.png", "image/png")]));
  const view = await open(fakeDesktop({ pasteFiles }));
  transfer(view.contentDOM, "paste", []);
  await vi.waitFor(() => expect(text(view)).toBe("![](asset:picture-1.png)"));
  expect(pasteFiles).toHaveBeenCalledWith(server.at("/new")?.id, expect.stringMatching(/^picture-\d{8}-\d{6}$/));
  transfer(view.contentDOM, "paste", [], "words");
  expect(pasteFiles).toHaveBeenCalledOnce();
});

it("the window adds dropped files except refused ones", async () => {
  let dropped: (files: FilesDropped) => void = () => {};
  const refused: AddedFile = { name: "huge.bin", asset: null, error: { code: "too_large", message: "" } };
  const view = await open(
    fakeDesktop({
      onFilesDropped: (handler) => Promise.resolve(((dropped = handler), () => {})),
    }),
  );
  server.granted.set("g1", () => refused).set("g2", () => added("notes.txt", "text/plain"));
  const granted = (grant: string, name: string) => ({ grant, name, size: 1, folder: false });
  dropped({ grants: [granted("g1", "huge.bin"), granted("g2", "notes.txt")], x: 5, y: 5, moves: false });
  await vi.waitFor(() => expect(text(view)).toBe("[notes.txt](asset:notes.txt)"));
  expect(host.toasts.join()).toContain("huge.bin");
});

it("pictures from a folder get a line each", async () => {
  const view = await open();
  write(view, "苔: ");
  const pictures = ["a b.jpg", "c.jpg"].map((name) => ({ root: "R1", path: canonicalPath(name), name }));
  const data = { files: [], types: [PICTURES_TYPE], getData: (type: string) => (type === PICTURES_TYPE ? JSON.stringify(pictures) : "a b.jpg\nc.jpg") };
  const event = Object.assign(new Event("drop", { bubbles: true, cancelable: true }), { dataTransfer: data, clientX: 0, clientY: 0 });
  view.contentDOM.dispatchEvent(event);
  await vi.waitFor(() => expect(text(view)).toContain("![](asset:a%20b.jpg)\n![](asset:c.jpg)"));
  expect(event.defaultPrevented).toBe(true);
  expect(filesOf("/new")).toEqual(["a b.jpg", "c.jpg"]);
});

it("pictures of an insertion are appended unsaved", async () => {
  const page = server.add("/kept", "# Kept\n\nMoss.");
  new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
  passPictures(page.id, [{ root: "R1", path: canonicalPath("moss.jpg"), name: "moss.jpg" }]);
  render(EditView, { path: "/kept", backend: server.backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null }, onpreview: vi.fn() });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  await vi.waitFor(() => expect(view?.state.doc.toString()).toBe("# Kept\n\nMoss.\n\n![](asset:moss.jpg)"));
  expect(server.at("/kept")?.source?.text).toBe("# Kept\n\nMoss.");
});

describe("files of an edit that is discarded", () => {
  async function edit(text = "text"): Promise<EditorView> {
    const page = server.add("/p", text);
    new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
    return editAgain();
  }

  async function editAgain(): Promise<EditorView> {
    render(EditView, { path: "/p", backend: server.backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null }, onpreview: vi.fn() });
    const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
    if (view === null) throw new Error("no editor");
    return view;
  }

  async function paste(view: EditorView, name: string): Promise<void> {
    transfer(view.contentDOM, "paste", [file(name)]);
    await vi.waitFor(() => expect(text(view)).toContain(`asset:${name}`));
  }

  const undo = async () => host.open.find(({ options }) => options.undo)?.options.undo?.();

  it("are deleted and restored with the text", async () => {
    const view = await edit();
    await paste(view, "moss.png");
    await host.act("editor-cancel");
    expect(filesOf("/p")).toEqual([]);
    expect(host.toasts.join()).toContain("the file that was added");
    await undo();
    expect(filesOf("/p")).toEqual(["moss.png"]);
    const [entry] = server.entries;
    expect(entry?.source).toContain("asset:moss.png");
    expect(host.visited.at(-1)).toBe(`/edit/p?take=${entry?.id}`);
    expect(server.at("/p")?.token).not.toBeNull();
  });

  it("remain while saved or unsaved text shows them", async () => {
    const view = await edit();
    await paste(view, "saved.png");
    const saved = text(view);
    await paste(view, "kept.png");
    const page = server.at("/p");
    if (page === undefined) throw new Error("no page");
    server.overwrite(page, saved, "Ben");
    await server.backend.autosave.put(page.id, "other", { path: "/p", base_revision: 1, source: "![](asset:kept.png)", seq: 1 });
    await host.act("editor-cancel");
    expect(filesOf("/p")).toEqual(["saved.png", "kept.png"]);
  });

  it("are deleted even if their links are gone", async () => {
    const view = await edit();
    await paste(view, "moss.png");
    write(view, "text");
    await host.act("editor-cancel");
    expect(host.questions).toEqual([]);
    expect(filesOf("/p")).toEqual([]);
  });

  it("remain with kept text and leave with it", async () => {
    const view = await edit();
    await paste(view, "moss.png");
    expect(await host.mayLeave()).toBe(true);
    expect(filesOf("/p")).toEqual(["moss.png"]);
    document.body.replaceChildren();
    const page = server.at("/p");
    new LockTokens("tab").write(page?.id ?? "", await server.backend.locks.acquire(page?.id ?? ""));
    await editAgain();
    screen.getByTestId("autosave-discard").click();
    await vi.waitFor(() => expect(filesOf("/p")).toEqual([]));
    expect(server.entries).toEqual([]);
    await vi.waitFor(() => expect(host.toasts.join()).toContain("the file that was added"));
    await undo();
    expect(filesOf("/p")).toEqual(["moss.png"]);
    expect(server.entries).toHaveLength(1);
  });

  it("are deleted even if the lock was lost", async () => {
    const view = await edit();
    await paste(view, "moss.png");
    const page = server.at("/p");
    if (page) page.token = "taken";
    await host.act("editor-cancel");
    expect(filesOf("/p")).toEqual([]);
  });

  it("remain if they existed before", async () => {
    const view = await edit();
    const page = server.at("/p");
    server.files.set(page?.id ?? "", ["old.png"]);
    server.fileTimes.set("old.png", "2026-11-19T09:00:00Z");
    write(view, "![](asset:old.png)");
    await host.act("editor-cancel");
    expect(filesOf("/p")).toEqual(["old.png"]);
  });
});
