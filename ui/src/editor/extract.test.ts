import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { LockTokens } from "../editing/locks/lock-tokens";
import { FakeServer } from "../testing/fake-server";
import "../testing/ranges";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import { EditView } from ".";

let server: FakeServer;
let host: StubHost;
let editor: EditorView;

const text = () => editor.state.doc.toString();
const ask = async (from: number, to: number) => {
  editor.dispatch({ selection: { anchor: from, head: to } });
  await host.press("Mod+Alt+n");
  return host.newPaths.at(-1);
};

beforeEach(async () => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
  const page = server.add("/p", "before\n\n## Part\ntext\n\nafter\n");
  server.on("POST /api/pages/{page_id}/extract", () => ({ page_id: "NEW", path: "/p/a part" }));
  new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
  render(EditView, { path: "/p", backend: server.backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null }, onpreview: () => {} });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  editor = view;
});

it("the created page's link replaces the selection", async () => {
  const question = await ask(7, 22);
  expect(question?.base).toBe("/p");
  await question?.create("/p/a part");
  expect(server.sent("POST /api/pages/{page_id}/extract")[0]?.body).toEqual({ path: "/p/a part", source: "## Part\ntext" });
  expect(text()).toBe("before\n\n[[/p/a part]]\n\nafter\n");
});

it("the text stays if creating the page fails", async () => {
  server.on("POST /api/pages/{page_id}/extract", () => fail("path_taken"));
  const question = await ask(7, 22);
  await expect(question?.create("/p/a part")).rejects.toThrow();
  expect(text()).toContain("## Part\ntext");
});

it("text that moved meanwhile is found", async () => {
  const question = await ask(7, 22);
  editor.dispatch({ changes: { from: 0, insert: "more\n" } });
  await question?.create("/p/a part");
  expect(text()).toBe("more\nbefore\n\n[[/p/a part]]\n\nafter\n");
});

it("text that changed meanwhile stays", async () => {
  const question = await ask(7, 22);
  editor.dispatch({ changes: { from: 11, insert: "New " } });
  await question?.create("/p/a part");
  expect(text()).toContain("## New Part");
  expect(host.toasts.at(-1)).toContain("so it stays here as well");
});

it("nothing is asked without a selection", async () => {
  expect(await ask(7, 8)).toBeUndefined();
  expect(host.toasts).toEqual(["Select the text for the new page first."]);
});
