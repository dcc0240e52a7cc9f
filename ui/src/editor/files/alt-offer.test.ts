import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
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
  server.describer.configure("http://localhost:11434/v1");
  host = new StubHost();
});

/** Opens an editor, pastes a picture, and waits for the offer. */
async function pasted() {
  render(EditView, { path: "/new", backend: server.backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null }, onpreview: vi.fn() });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: "" } });
  const data = { files: [new File(["x"], "moss.png", { type: "image/png" })], types: ["Files"], getData: () => "" };
  view.contentDOM.dispatchEvent(Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData: data }));
  await vi.waitFor(() => expect(text(view)).toBe("![](asset:moss.png)"));
  return view;
}

const text = (view: EditorView) => view.state.doc.toString();
const offer = () => vi.waitFor(() => host.open.find(({ options }) => options.action?.label === "Describe this picture")?.options.action ?? Promise.reject(new Error("no offer")));

it("describes a pasted picture once accepted", async () => {
  const view = await pasted();
  server.describer.answer = { description: "A [mossy]\nstone." };
  await (await offer()).run();
  expect(server.backend.vision.scan).toHaveBeenCalledWith({ asset: "asset of moss.png" }, "describe", { language: "en" });
  expect(text(view)).toBe("![A \\[mossy\\] stone.](asset:moss.png)");
  expect(host.toasts.at(-1)).toBe("Description added. Please check it.");
});

it("keeps an edited alternative text", async () => {
  const view = await pasted();
  const { run } = await offer();
  view.dispatch({ changes: { from: 2, insert: "my words" } });
  await run();
  expect(text(view)).toBe("![my words](asset:moss.png)");
  expect(host.toasts.at(-1)).toBe("A picture already has a description, or isn’t in the text any more. Nothing was written there.");
});

it("sends nothing to another computer without consent", async () => {
  server.describer.configure(null, "gemini");
  host.confirmAnswer = false;
  const view = await pasted();
  await (await offer()).run();
  expect(host.questions[0]?.message).toContain("Pictures are sent to generativelanguage.googleapis.com");
  expect(server.backend.vision.scan).not.toHaveBeenCalled();
  host.confirmAnswer = true;
  await (await offer()).run();
  expect(text(view)).toBe("![A cat on a wall.](asset:moss.png)");
  expect(server.describer.stored.agreed_origin).toBe("https://generativelanguage.googleapis.com");
});

it("reports a failure and keeps the text", async () => {
  const view = await pasted();
  server.describer.answer = new ApiError("vision_unreachable", 502, "", { reason: "unreachable", technicalDetail: "localhost: connection refused" });
  await (await offer()).run();
  expect(host.toasts.at(-1)).toBe("Couldn’t describe “moss.png”. The service that describes pictures can’t be reached. Details: localhost: connection refused");
  expect(text(view)).toBe("![](asset:moss.png)");
});

it.each([
  ["no service", null],
  ["an OCR command", "command"],
] as const)("offers nothing with %s", async (_, dialect) => {
  server.describer.configure(null, dialect);
  await pasted();
  await vi.waitFor(() => expect(server.backend.vision.settings).toHaveBeenCalled());
  expect(host.toasts).toEqual([]);
});
