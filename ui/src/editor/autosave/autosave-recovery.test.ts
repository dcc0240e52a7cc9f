import { EditorView } from "@codemirror/view";
import { render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "../../api/backend";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { FakeServer } from "../../testing/fake-server";
import "../../testing/ranges";
import { StubHost } from "../../testing/stub-host";
import { EditView } from "..";

let server: FakeServer;
let host: StubHost;
let backend: Backend;

/** Creates a page that has newer revisions than the unsaved text for it. */
beforeEach(async () => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
  backend = server.backend;
  const page = server.add("/p", "a\nb\nc");
  await backend.autosave.put(page.id, "old-tab", { path: "/p", base_revision: 1, source: "left behind", seq: 1 });
  new LockTokens("tab").write(page.id, await backend.locks.acquire(page.id));
});

function open() {
  const preview = { open: false, width: null };
  return render(EditView, { path: "/p", backend, host, tabId: Promise.resolve("tab"), preview, onpreview: vi.fn() });
}

async function editor(): Promise<EditorView> {
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

const sources = () => server.entries.map(({ source }) => source);
const settled = () => new Promise((done) => setTimeout(done, 20));

describe("leaving while the text is restored", () => {
  let answer: () => void;

  /** Delays the next read of the text's base until `answer` is called. */
  function slow(): void {
    const gate = new Promise<void>((resolve) => (answer = resolve));
    server.on("GET /api/pages/{page_id}/source", async ({ query }, next) => {
      if (query.rev !== undefined) await gate;
      return next();
    });
  }

  it.each([
    ["by a press", "/edit/p", async () => (await screen.findByTestId("autosave-restore")).click()],
    ["as it was chosen in the reading view", "/edit/p?take=ENTRY", async () => void (await settled())],
  ])("loses nothing: %s", async (_, address, take) => {
    history.replaceState(null, "", address.replace("ENTRY", server.entries[0]?.id ?? ""));
    slow();
    const { unmount } = open();
    await editor();
    await take();
    unmount();
    answer();
    await settled();
    await waitFor(() => expect(sources()).toEqual(["left behind"]));
    expect(host.toasts).toEqual([]);
  });
});

describe("undoing", () => {
  async function restoreOffer(): Promise<EditorView> {
    open();
    const view = await editor();
    (await screen.findByTestId("autosave-restore")).click();
    await waitFor(() => expect(host.toasts).toHaveLength(1));
    return view;
  }

  const undo = async () => host.open.at(-1)?.options.action?.run();
  const text = (view: EditorView) => view.state.doc.toString();

  it("restores the previous text", async () => {
    const view = await restoreOffer();
    await undo();
    expect(text(view)).toBe("a\nb\nc");
    await waitFor(() => expect(sources()).toEqual(["left behind"]));
    expect(screen.getAllByTestId("autosave-offer")).toHaveLength(1);
  });

  it("keeps text typed since, even during more typing", async () => {
    const view = await restoreOffer();
    view.dispatch({ changes: { from: 0, insert: "Typed since. " }, userEvent: "input" });
    server.on("PUT /api/journal/{page_id}", async ({ query: { tab }, body: { source } }, next) => {
      await next();
      if (source === "Typed since. left behind" && tab !== "tab") {
        view.dispatch({ changes: { from: 0, insert: "Now. " }, userEvent: "input" });
      }
    });
    await undo();
    expect(text(view)).toBe("a\nb\nc");
    expect(sources()).toEqual(expect.arrayContaining(["left behind", "Now. Typed since. left behind"]));
    await waitFor(() => expect(screen.getAllByTestId("autosave-offer")).toHaveLength(2));
  });

  it("replaces nothing if the text cannot be saved", async () => {
    const view = await restoreOffer();
    view.dispatch({ changes: { from: 0, insert: "Typed since. " }, userEvent: "input" });
    server.fault = "disk_full";
    await expect(undo()).rejects.toThrow("disk_full");
    expect(text(view)).toBe("Typed since. left behind");
  });
});
