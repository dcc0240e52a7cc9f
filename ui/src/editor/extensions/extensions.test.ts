import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it } from "vitest";
import "../../testing/ranges";
import { editorExtensions } from ".";

const WORDS = { label: "Text", placeholder: "Write", phrases: {} };

let view: EditorView;

function editor(doc: string, at = doc.length): EditorView {
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc, selection: { anchor: at }, extensions: editorExtensions(WORDS, { files: () => {}, clipboard: null }) }),
  });
  return view;
}

function press(key: string, options: KeyboardEventInit & { keyCode?: number } = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options });
  view.contentDOM.dispatchEvent(event);
}

afterEach(() => view.destroy());

it.each([
  ["- a", "- a\n- "],
  ["1. a", "1. a\n2. "],
  ["- [ ] a", "- [ ] a\n- [ ] "],
  ["> a", "> a\n> "],
  ["- ", ""],
  ["a", "a\n"],
])("Enter after %j gives %j", (doc, expected) => {
  editor(doc);
  press("Enter", { keyCode: 13 });
  expect(view.state.doc.toString()).toBe(expected);
});

it.each([{ isComposing: true }, { keyCode: 229 }])("Enter of an input method (%j) is not ours", (options) => {
  editor("- にほん");
  press("Enter", options);
  expect(view.state.doc.toString()).toBe("- にほん");
});

it("Tab indents an item of a list, and inserts a tab elsewhere", () => {
  editor("- a\n- b");
  press("Tab", { keyCode: 9 });
  expect(view.state.doc.toString()).toBe("- a\n  - b");
  view.destroy();
  editor("a");
  press("Tab", { keyCode: 9 });
  expect(view.state.doc.toString()).toBe("a\t");
});

it("Escape and then Tab leaves Tab to the browser", () => {
  editor("a");
  press("Escape", { keyCode: 27 });
  press("Tab", { keyCode: 9 });
  expect(view.state.doc.toString()).toBe("a");
});

it("undoes", () => {
  editor("a");
  view.dispatch({ changes: { from: 1, insert: "b" }, userEvent: "input" });
  press("z", { ctrlKey: true, keyCode: 90 });
  expect(view.state.doc.toString()).toBe("a");
});

it("has a name, a test id and the system's spelling", () => {
  const { contentDOM } = editor("");
  expect(contentDOM.getAttribute("aria-label")).toBe("Text");
  expect(contentDOM.dataset["testid"]).toBe("editor");
  expect(contentDOM.getAttribute("spellcheck")).toBe("true");
});
