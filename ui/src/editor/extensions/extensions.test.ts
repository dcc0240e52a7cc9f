import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it } from "vitest";
import "../../testing/ranges";
import { editorExtensions } from ".";
import { languageOf } from "./spelling";

const WORDS = { label: "Text", placeholder: "Write", phrases: {} };

const NAMES = { headings: () => Promise.resolve([]), tags: () => Promise.resolve([]), callouts: () => [],
  pages: () => Promise.resolve([]),
  files: () => Promise.resolve([]),
  fileAddress: (name: string) => name,
  pageAddress: (path: string) => path,
};

let view: EditorView;

function editor(doc: string, at = doc.length, spelling = true): EditorView {
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc, selection: { anchor: at }, extensions: editorExtensions({ words: WORDS, carrier: { files: () => {}, pictures: () => {}, clipboard: null }, names: NAMES, slashItems: () => [], spelling, pasting: { onError: () => {}, onTooLong: () => {} }, onAmbiguousLink: () => {} }) }),
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
  // A second Enter leaves the list, and the next text is not part of it.
  ["- a\n- ", "- a\n\n"],
  ["- a\n- b\n- ", "- a\n- b\n\n"],
  ["1. a\n2. ", "1. a\n\n"],
  ["1. a\n2. b\n3. ", "1. a\n2. b\n\n"],
  ["* [x] a\n* [ ] ", "* [x] a\n\n"],
  ["> - a\n> - ", "> - a\n>\n> "],
  ["- a\n  - b\n  - ", "- a\n  - b\n- "],
  ["- a\n\n- ", "- a\n\n"],
  ["before\n\n- a\n- b", "before\n\n- a\n- b\n- "],
  ["a", "a\n"],
])("Enter after %j inserts %j", (doc, expected) => {
  editor(doc);
  press("Enter", { keyCode: 13 });
  expect(view.state.doc.toString()).toBe(expected);
});

it.each([{ isComposing: true }, { keyCode: 229 }])("leaves Enter of an input method (%j) alone", (options) => {
  editor("- にほん");
  press("Enter", options);
  expect(view.state.doc.toString()).toBe("- にほん");
});

it("leaves Ctrl I to the side panel", () => {
  editor("- a");
  const event = new KeyboardEvent("keydown", { key: "i", keyCode: 73, ctrlKey: true, bubbles: true, cancelable: true });
  view.contentDOM.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  expect(view.state.selection.main.empty).toBe(true);
});

it("Alt and arrows edit without navigation", () => {
  editor("a [b](c) d");
  const event = new KeyboardEvent("keydown", { key: "ArrowLeft", keyCode: 37, altKey: true, bubbles: true, cancelable: true });
  view.contentDOM.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  expect(view.state.selection.main.head).toBeLessThan(view.state.doc.length);
});

it("Enter right after a composition ends the line", () => {
  editor("- 日本語");
  for (const kind of ["compositionstart", "compositionend"]) {
    view.contentDOM.dispatchEvent(new CompositionEvent(kind, { bubbles: true }));
  }
  press("Enter", { keyCode: 13 });
  expect(view.state.doc.toString()).toBe("- 日本語\n- ");
});

it("shows a placeholder outside the text", () => {
  editor("");
  expect(view.contentDOM.dataset["empty"]).toBe("");
  expect(view.contentDOM.ariaPlaceholder ?? view.contentDOM.getAttribute("aria-placeholder")).toBe("Write");
  expect(view.contentDOM.innerHTML).toBe('<div class="cm-line cm-activeLine"><br></div>');
  view.dispatch({ changes: { from: 0, insert: "に" } });
  expect(view.contentDOM.dataset["empty"]).toBeUndefined();
});

it("Tab indents only list items", () => {
  editor("- a\n- b");
  press("Tab", { keyCode: 9 });
  expect(view.state.doc.toString()).toBe("- a\n  - b");
  view.destroy();
  editor("a");
  press("Tab", { keyCode: 9 });
  expect(view.state.doc.toString()).toBe("a");
});

it("Shift and Tab removes the indentation", () => {
  editor("- a\n  - b");
  press("Tab", { keyCode: 9, shiftKey: true });
  expect(view.state.doc.toString()).toBe("- a\n- b");
});

it("Escape, then Tab moves out of a list", () => {
  editor("- a\n- b");
  press("Escape", { keyCode: 27 });
  press("Tab", { keyCode: 9 });
  expect(view.state.doc.toString()).toBe("- a\n- b");
});

it("Ctrl F focuses search, and Ctrl H replacement", () => {
  editor("moss and moss");
  press("f", { ctrlKey: true, keyCode: 70 });
  const field = view.dom.querySelector<HTMLInputElement>(".cm-search [name=replace]");
  expect(field).not.toBeNull();
  press("h", { ctrlKey: true, keyCode: 72 });
  expect(document.activeElement).toBe(field);
});

it("Ctrl H focuses an empty search first", () => {
  editor("moss and moss");
  press("h", { ctrlKey: true, keyCode: 72 });
  expect(document.activeElement).toBe(view.dom.querySelector(".cm-search [name=search]"));
  press("h", { ctrlKey: true, keyCode: 72 });
  expect(document.activeElement).toBe(view.dom.querySelector(".cm-search [name=replace]"));
});

it("undoes", () => {
  editor("a");
  view.dispatch({ changes: { from: 1, insert: "b" }, userEvent: "input" });
  press("z", { ctrlKey: true, keyCode: 90 });
  expect(view.state.doc.toString()).toBe("a");
});

it("scrolls to the content above the first line", () => {
  const margins = ({ state }: EditorView) => state.facet(EditorView.scrollMargins).map((margin) => margin(view));
  expect(margins(editor("a\nb", 0))).toContainEqual({ top: 28 });
  view.dispatch({ selection: { anchor: 2 } });
  expect(margins(view)).not.toContainEqual({ top: 28 });
});

it("checks spelling in languages with dictionaries", () => {
  const { contentDOM } = editor("");
  const checked = () => [...contentDOM.querySelectorAll<HTMLElement>(".cm-line")].map((line) => line.getAttribute("spellcheck"));
  expect(contentDOM.getAttribute("spellcheck")).toBe("false");
  view.dispatch({ changes: { from: 0, insert: "moss\n嵐山で moss\n12\nÄpfel" } });
  expect(checked()).toEqual(["true", null, null, "true"]);
  view.dispatch({ changes: { from: 0, insert: "苔 " } });
  expect(checked()[0]).toBeNull();
});

it("has a name and a test id", () => {
  const { contentDOM } = editor("");
  expect(contentDOM.getAttribute("aria-label")).toBe("Text");
  expect(contentDOM.dataset["testid"]).toBe("editor");
});

it("spelling can be turned off", () => {
  editor("some words", 0, false);
  expect(view.contentDOM.querySelector("[spellcheck=true]")).toBeNull();
});

it.each([
  ["---\nlang: de\n---\n", "de"],
  ["---\ntitle: a\nlanguage: 'en_GB'\n---\nx", "en_GB"],
  ["---\nlang: de\n", null],
  ["---\nlang: a b\n---\n", null],
  ["lang: de", null],
  ["", null],
])("%j names the language %j", (doc, expected) => {
  editor(doc, 0);
  expect(languageOf(view.state.doc)).toBe(expected);
  expect(view.contentDOM.getAttribute("lang")).toBe(expected?.replace("_", "-") ?? null);
});

it.each(["ArrowLeft", "ArrowRight"])("Alt Shift %s is left to the frame", (key) => {
  editor("one two", 4);
  const event = new KeyboardEvent("keydown", { key, altKey: true, shiftKey: true, bubbles: true, cancelable: true });
  view.contentDOM.dispatchEvent(event);
  expect([event.defaultPrevented, view.state.selection.main.from, view.state.selection.main.to]).toEqual([false, 4, 4]);
});
