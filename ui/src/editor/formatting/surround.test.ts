import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it } from "vitest";
import "../../testing/ranges";
import { surround } from "./surround";

let view: EditorView;
afterEach(() => view.destroy());

/** Types over the selection, as an input of the browser arrives. */
function type(doc: string, anchor: number, head: number, ...texts: string[]): string {
  view = new EditorView({ state: EditorState.create({ doc, selection: { anchor, head }, extensions: surround() }) });
  for (const text of texts) {
    const { from, to } = view.state.selection.main;
    const insert = () => view.state.update(view.state.replaceSelection(text));
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
  }
  return view.state.doc.toString();
}

it.each([
  ["a bracket", ["("], "a (moss) b"],
  ["two asterisks", ["*", "*"], "a **moss** b"],
  ["a Japanese bracket", ["「"], "a 「moss」 b"],
  ["another letter", ["x"], "a x b"],
])("%s over a selection", (_name, texts, expected) => {
  expect(type("a moss b", 2, 6, ...texts)).toBe(expected);
});

it("replaces a selection of several lines", () => {
  expect(type("a\nb", 0, 3, "`")).toBe("`");
});

it("surrounds nothing without a selection", () => {
  expect(type("ab", 1, 1, "(")).toBe("a(b");
});
