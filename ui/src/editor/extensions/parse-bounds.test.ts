import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { markdownEditing } from "./markdown-language";

/** The names of all nodes, once the whole text is parsed. */
function nodesOf(doc: string): string[] {
  const state = EditorState.create({ doc, extensions: [markdownEditing()] });
  const names: string[] = [];
  (ensureSyntaxTree(state, doc.length, 60_000) ?? syntaxTree(state)).iterate({ enter: ({ name }) => void names.push(name) });
  return names;
}

it.each([
  ["- ", "x"], ["-\t", "x"], ["* ", "x"], ["1. ", "x"], ["a**bc* ", ""], ["[a](", ""], [" ", "x"], ["a**b\n", ""], ["![", "](a)"],
])("repeated %j is parsed in one pass", (piece, end) => {
  const doc = `${piece.repeat(65_536 / piece.length)}${end}\n\n# Heading\n\n**strong**`;
  expect(nodesOf(doc)).toContain("ATXHeading1");
  expect(nodesOf(doc)).toContain("StrongEmphasis");
});

it("highlights a whole paragraph of usual length", () => {
  expect(nodesOf(`${"words and more of them\n".repeat(400)}**strong**`)).toContain("StrongEmphasis");
});
