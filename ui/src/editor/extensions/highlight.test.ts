import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it } from "vitest";
import "../../testing/ranges";
import { markdownHighlight } from "./highlight";
import { markdownEditing } from "./markdown-language";

let view: EditorView | undefined;

afterEach(() => view?.destroy());

/** The pieces of the text with a style of their own. */
function pieces(doc: string): string[] {
  const state = EditorState.create({ doc, extensions: [markdownEditing(), markdownHighlight()] });
  ensureSyntaxTree(state, doc.length, 5_000);
  view = new EditorView({ parent: document.body, state });
  return [...view.contentDOM.querySelectorAll("span[class]")].map((piece) => piece.textContent);
}

it.each([
  ["# 秋", ["#", " 秋"]],
  ["a **b** c", ["**", "b", "**"]],
  ["a `b` c", ["`", "b", "`"]],
  ["~~a~~", ["~~", "a", "~~"]],
  ["plain", []],
])("highlights %s as %j", (doc, expected) => {
  expect(pieces(doc)).toEqual(expected);
});

it("shows a link of the wiki as one", () => {
  expect(pieces("see [[/a|b]] there").join("")).toContain("/a|b");
});

it.each([
  ["---\ntags: a\n---\n\n# b", ["---", "tags: a", "---", "#", " b"]],
  ["---\nno end: # a", []],
])("metadata of %j is no heading", (doc, expected) => {
  const shown = pieces(doc);
  if (expected.length > 0) expect(shown).toEqual(expected);
  else expect(shown).not.toContain("no end: # a");
});
