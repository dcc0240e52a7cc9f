import { EditorView } from "@codemirror/view";
import { render, screen, waitFor } from "@testing-library/svelte";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { EditView } from "..";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { FakeServer } from "../../testing/fake-server";
import "../../testing/ranges";
import { StubHost } from "../../testing/stub-host";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
});

/** Opens a page whose text was `base`, which another user changed to `theirs`, with `mine` unsaved. */
async function open(base: string, mine: string, theirs: string): Promise<EditorView> {
  const page = server.add("/p", base);
  server.overwrite(page, theirs, "Ben");
  await server.backend.autosave.put(page.id, "old-tab", { path: "/p", base_revision: 1, source: mine, seq: 1 });
  new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
  const preview = { open: false, width: null };
  const parts = { path: "/p", backend: server.backend, host, tabId: Promise.resolve("tab"), preview };
  render(EditView, { ...parts, onpreview: vi.fn() });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

const text = (view: EditorView) => view.state.doc.toString();

it("merges a newer revision without conflicts for review", async () => {
  const view = await open("a\nb\nc", "A\nb\nc", "a\nb\nC");
  (await screen.findByTestId("autosave-restore")).click();
  await waitFor(() => expect(text(view)).toBe("A\nb\nC"));
  expect(screen.queryByTestId("merge")).toBeNull();
  await waitFor(() => expect(host.toasts.at(-1)).toContain("Merged"));
  expect(server.at("/p")?.source?.text).toBe("a\nb\nC");
  // After an undo, both are at their former places.
  await host.open.at(-1)?.options.action?.run();
  await screen.findByTestId("autosave-offer");
  expect(text(view)).toBe("a\nb\nC");
  expect(server.entries.some(({ source }) => source === "A\nb\nc")).toBe(true);
});

it("asks about each conflict, also by keyboard", async () => {
  const view = await open("a\nb\nc\nd\ne", "a\nmine\nc\nd\nmine too", "a\ntheirs\nc\nd\ntheirs too");
  (await screen.findByTestId("autosave-restore")).click();
  const done = await screen.findByTestId<HTMLButtonElement>("merge-done");
  expect(screen.getAllByTestId("merge-conflict")).toHaveLength(2);
  expect(done.disabled).toBe(true);
  expect(text(view)).toBe("a\ntheirs\nc\nd\ntheirs too");
  const user = userEvent.setup();
  screen.getAllByTestId("merge-mine")[0]?.focus();
  await user.keyboard(" ");
  expect(done.disabled).toBe(true);
  screen.getAllByTestId("merge-both")[1]?.focus();
  await user.keyboard(" ");
  await waitFor(() => expect(done.disabled).toBe(false));
  done.click();
  await waitFor(() => expect(text(view)).toBe("a\nmine\nc\nd\ntheirs too\nmine too"));
  expect(screen.queryByTestId("merge")).toBeNull();
});

it("cancelling changes nothing", async () => {
  const view = await open("a", "mine", "theirs");
  (await screen.findByTestId("autosave-restore")).click();
  await screen.findByTestId("merge");
  screen.getByText("Cancel").click();
  await waitFor(() => expect(screen.queryByTestId("merge")).toBeNull());
  expect(text(view)).toBe("theirs");
  expect(screen.getByTestId("autosave-offer")).toBeTruthy();
});

it("treats each difference as a conflict without base", async () => {
  const view = await open("a\nb", "a\nmine", "a\ntheirs");
  server.past.clear();
  (await screen.findByTestId("autosave-restore")).click();
  (await screen.findByTestId("merge-mine")).click();
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("merge-done").disabled).toBe(false));
  screen.getByTestId("merge-done").click();
  await waitFor(() => expect(text(view)).toBe("a\nmine"));
});

it("merges a revision saved without the lock", async () => {
  const view = await open("a\nb\nc", "", "a\nb\nc");
  const page = server.at("/p");
  if (page === undefined) throw new Error("no page");
  view.dispatch({ changes: { from: 0, to: 1, insert: "mine" }, userEvent: "input" });
  server.expire(page);
  server.overwrite(page, "a\nb\ntheirs", "Ben");
  await host.act("editor-finish");
  (await screen.findByTestId("conflict-merge")).click();
  await waitFor(() => expect(text(view)).toBe("mine\nb\ntheirs"));
  expect(screen.queryByTestId("editor-conflict")).toBeNull();
  await host.act("editor-finish");
  expect(page.source?.text).toBe("mine\nb\ntheirs");
});

it("a second press replaces the first question", async () => {
  const view = await open("a", "mine", "theirs");
  const button = await screen.findByTestId("autosave-restore");
  button.click();
  button.click();
  (await screen.findByTestId("merge-mine")).click();
  await new Promise((done) => setTimeout(done, 50));
  screen.getByTestId("merge-mine").click();
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("merge-done").disabled).toBe(false));
  screen.getByTestId("merge-done").click();
  await waitFor(() => expect(text(view)).toBe("mine"));
  expect(screen.queryByTestId("merge")).toBeNull();
});

it("two presses merge once", async () => {
  const view = await open("a\nb\nc", "A\nb\nc", "a\nb\nC");
  const button = await screen.findByTestId("autosave-restore");
  button.click();
  button.click();
  await waitFor(() => expect(text(view)).toBe("A\nb\nC"));
  await new Promise((done) => setTimeout(done, 50));
  expect(host.toasts).toHaveLength(1);
});

it("two saves in quick succession ask once", async () => {
  const view = await open("a\nb\nc", "", "a\nb\nc");
  const page = server.at("/p");
  if (page === undefined) throw new Error("no page");
  view.dispatch({ changes: { from: 0, to: 1, insert: "mine" }, userEvent: "input" });
  server.expire(page);
  server.overwrite(page, "theirs\nb\nc", "Ben");
  await host.act("editor-finish");
  const button = await screen.findByTestId("conflict-merge");
  button.click();
  button.click();
  await new Promise((done) => setTimeout(done, 50));
  (await screen.findByTestId("merge-both")).click();
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("merge-done").disabled).toBe(false));
  screen.getByTestId("merge-done").click();
  await waitFor(() => expect(text(view)).toBe("theirs\nmine\nb\nc"));
});

it("a new page's initial text never conflicts", async () => {
  await server.backend.autosave.put("gone", "old-tab", { path: "/p", base_revision: null, source: "# p\n\nmine", seq: 1 });
  const parts = { path: "/p", backend: server.backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null } };
  render(EditView, { ...parts, onpreview: vi.fn() });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  await waitFor(() => expect(host.toasts).toHaveLength(1));
  await host.open.at(-1)?.options.action?.run();
  view?.dispatch({ changes: { from: view.state.doc.length, insert: "theirs" }, userEvent: "input" });
  (await screen.findByTestId("autosave-restore")).click();
  const conflict = await screen.findByTestId("merge-conflict");
  expect(conflict.textContent).toMatch(/mine.*theirs|theirs.*mine/s);
  expect(conflict.textContent).not.toContain("# p");
});
