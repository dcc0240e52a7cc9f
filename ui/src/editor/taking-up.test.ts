import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "../api/backend";
import { LockTokens } from "../editing/lock-tokens";
import { FakeServer } from "../testing/fake-server";
import "../testing/ranges";
import { StubHost } from "../testing/stub-host";
import { EditorRoom } from ".";

let server: FakeServer;
let host: StubHost;
let backend: Backend;

/** A page that went on since somebody left an unsaved text for it. */
beforeEach(async () => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
  backend = server.backend();
  const page = server.add("/p", "a\nb\nc");
  await backend.journal.put(page.id, "old-tab", { path: "/p", base_revision: 1, source: "left behind", seq: 1 });
  new LockTokens("tab").write(page.id, await backend.locks.acquire(page.id));
});

function open() {
  const preview = { open: false, width: null };
  return render(EditorRoom, { path: "/p", backend, host, tabId: Promise.resolve("tab"), preview, onpreview: vi.fn() });
}

async function editor(): Promise<EditorView> {
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

const kept = () => server.entries.map(({ source }) => source);
const settled = () => new Promise((done) => setTimeout(done, 20));

describe("a person who leaves while the text is being taken up", () => {
  let answer: () => void;

  /** What the text began as is asked for once more, and comes when `answer` is called. */
  function slow(): void {
    const { source } = backend.pages;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    backend.pages.source = async (id, revision) => {
      if (revision !== undefined) await gate;
      return source(id, revision);
    };
  }

  it.each([
    ["by a press", "/edit/p", async () => (await screen.findByTestId("journal-take")).click()],
    ["as it was chosen in the reading view", "/edit/p?take=ENTRY", async () => void (await settled())],
  ])("loses nothing of it: %s", async (_, address, take) => {
    history.replaceState(null, "", address.replace("ENTRY", server.entries[0]?.id ?? ""));
    slow();
    const { unmount } = open();
    await editor();
    await take();
    unmount();
    answer();
    await settled();
    expect(kept()).toEqual(["left behind"]);
    expect(host.toasts).toEqual([]);
  });
});
