import { EditorView } from "@codemirror/view";
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { FakeServer } from "../../testing/fake-server";
import "../../testing/ranges";
import { StubHost } from "../../testing/stub-host";
import { EditView } from "..";

let server: FakeServer;
let host: StubHost;
const set = vi.fn();

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
});

async function open(text: string, shown = true): Promise<EditorView> {
  const page = server.add("/p", text);
  new LockTokens("tab").write(page.id, await server.backend.locks.acquire(page.id));
  const parts = { path: "/p", backend: server.backend, host, tabId: Promise.resolve("tab"), toolbar: { shown, set } };
  render(EditView, { ...parts, preview: { open: false, width: null }, onpreview: () => {} });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
  return view;
}

it("its buttons and the keys format the selection", async () => {
  const view = await open("moss");
  await fireEvent.click(screen.getByTestId("format-bold"));
  await waitFor(() => expect(view.state.doc.toString()).toBe("**moss**"));
  await host.press("Mod+i");
  await waitFor(() => expect(view.state.doc.toString()).toBe("***moss***"));
  await fireEvent.click(screen.getByTestId("format-headings"));
  await fireEvent.click(await screen.findByTestId("format-heading-2"));
  await waitFor(() => expect(view.state.doc.toString()).toBe("## ***moss***"));
});

it("is one Tab stop with arrows inside", async () => {
  await open("moss");
  const stops = () => [...screen.getByTestId("editor-toolbar").querySelectorAll("button")].filter(({ tabIndex }) => tabIndex === 0);
  expect(stops()).toEqual([screen.getByTestId("format-headings")]);
  screen.getByTestId("format-headings").focus();
  await fireEvent.keyDown(screen.getByTestId("format-headings"), { key: "ArrowRight" });
  expect(document.activeElement).toBe(screen.getByTestId("format-bold"));
  expect(stops()).toEqual([screen.getByTestId("format-bold")]);
});

it("offers table commands only in a table", async () => {
  const view = await open("| a |\n| --- |\n| b |\n\ntext");
  view.dispatch({ selection: { anchor: 2 } });
  await fireEvent.click(screen.getByTestId("format-more"));
  await fireEvent.click(await screen.findByTestId("format-table-add-row"));
  await waitFor(() => expect(view.state.doc.line(3).text).toBe("|     |"));
  view.dispatch({ selection: { anchor: view.state.doc.length } });
  await fireEvent.click(screen.getByTestId("format-more"));
  await screen.findByTestId("format-rule");
  expect(screen.queryByTestId("format-table-add-row")).toBeNull();
});

it("Escape leads back to the text", async () => {
  const view = await open("moss");
  screen.getByTestId("format-bold").focus();
  await fireEvent.keyDown(screen.getByTestId("format-bold"), { key: "Escape" });
  expect(view.hasFocus).toBe(true);
});

it("its menu makes a page of the selection", async () => {
  await open("moss");
  await fireEvent.click(screen.getByTestId("format-more"));
  await fireEvent.click(await screen.findByTestId("action-extract"));
  expect(host.newPaths.map(({ base }) => base)).toEqual(["/p"]);
});

it("can be hidden and shown", async () => {
  await open("moss");
  await host.press("Mod+Alt+m");
  expect(set).toHaveBeenLastCalledWith(false);
});

it("hidden, its keys still format", async () => {
  const view = await open("moss", false);
  expect(screen.queryByTestId("editor-toolbar")).toBeNull();
  await host.press("Mod+Shift+k");
  await waitFor(() => expect(view.state.doc.toString()).toBe("`moss`"));
});
