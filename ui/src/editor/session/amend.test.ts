import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { FakeServer } from "../../testing/fake-server";
import "../../testing/ranges";
import { StubHost } from "../../testing/stub-host";
import { EditView } from "..";

let server: FakeServer;
let host: StubHost;
let backend: FakeServer["backend"];

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
  backend = server.backend;
});

/** Opens the editor of the page, with the lock that the reading view takes. */
async function edit(path = "/p"): Promise<EditorView> {
  const page = server.at(path);
  if (page !== undefined) new LockTokens("tab").write(page.id, await backend.locks.acquire(page.id));
  render(EditView, { path, backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null }, onpreview: vi.fn() });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

const write = (view: EditorView, text: string) =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input" });
const box = () => screen.queryByTestId<HTMLInputElement>("editor-amend");
const tick = () => userEvent.click(screen.getByTestId("editor-amend"));
/** For each save, true if it replaced the newest revision. */
const amended = () => server.sent("PUT /api/pages/{page_id}/source").map(({ query }) => query.amend === "true");

it("one's latest revision is replaced only on request", async () => {
  server.add("/p", "text", "Aya");
  await edit();
  expect(box()?.checked).toBe(false);
  expect(box()?.closest("label")?.textContent.trim()).toBe("Replace revision 1");
});

it.each([
  ["somebody else's revision", () => void server.add("/p", "text", "Ben")],
  ["a page that was never saved", () => {}],
])("%s can't be replaced", async (_, make) => {
  make();
  await edit();
  expect(box()).toBeNull();
});

it("saving replaces the revision if chosen", async () => {
  const page = server.add("/p", "text", "Aya");
  const view = await edit();
  await tick();
  write(view, "mended");
  await host.act("editor-finish");
  expect(amended()).toEqual([true]);
  expect(page.source).toMatchObject({ text: "mended", revision: 1, amends: 1 });
});

it("saving adds a revision unless replacement is chosen", async () => {
  const page = server.add("/p", "text", "Aya");
  const view = await edit();
  await tick();
  await tick();
  write(view, "new");
  await host.act("editor-finish");
  expect(amended()).toEqual([false]);
  expect(page.source).toMatchObject({ text: "new", revision: 2 });
});

it("after more typing, saving adds a revision again", async () => {
  const page = server.add("/p", "text", "Aya");
  const view = await edit();
  await tick();
  write(view, "mended");
  server.once("PUT /api/pages/{page_id}/source", (_, next) => {
    write(view, "mended, and more");
    return next();
  });
  await host.act("editor-finish");
  expect(page.source).toMatchObject({ text: "mended", revision: 1 });
  expect(box()?.checked).toBe(false);
  await host.act("editor-finish");
  expect(amended()).toEqual([true, false]);
  expect(page.source).toMatchObject({ text: "mended, and more", revision: 2 });
});

it("never replaces a revision saved in between", async () => {
  const page = server.add("/p", "text", "Aya");
  const view = await edit();
  await tick();
  write(view, "mine");
  server.expire(page);
  server.overwrite(page, "mine from elsewhere", "Aya");
  await host.act("editor-finish");
  await screen.findByTestId("editor-conflict");
  expect(box()).toBeNull();
  await host.act("editor-finish");
  expect(amended()).toEqual([true, false]);
  expect(page.source).toMatchObject({ text: "mine", revision: 3 });
});
