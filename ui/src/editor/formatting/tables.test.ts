import { EditorState, type StateCommand } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it } from "vitest";
import "../../testing/ranges";
import { markdownEditing } from "../extensions/markdown-language";
import { addColumn, addRow, cellBelow, nextCell, previousCell, removeColumn, removeRow, tableEditing } from "./tables";

let view: EditorView | undefined;
afterEach(() => view?.destroy());

function stateOf(lines: string[]): EditorState {
  const marked = lines.join("\n");
  return EditorState.create({ doc: marked.replace("^", ""), selection: { anchor: marked.indexOf("^") }, extensions: [markdownEditing(), tableEditing()] });
}

/** The text with `[` and `]` around the selection, or `^` at the cursor. */
function shown({ doc, selection: { main } }: EditorState): string[] {
  const text = doc.toString();
  const selected = main.empty ? "^" : `[${text.slice(main.from, main.to)}]`;
  return (text.slice(0, main.from) + selected + text.slice(main.to)).split("\n");
}

function after(command: StateCommand, lines: string[]): string[] | null {
  let state = stateOf(lines);
  return command({ state, dispatch: (transaction) => void (state = transaction.state) }) ? shown(state) : null;
}

/** Types a letter as a person does: handlers of input come first. */
function type(target: EditorView, letter: string): void {
  const { from, to } = target.state.selection.main;
  const insert = () => target.state.update(target.state.replaceSelection(letter), { userEvent: "input.type" });
  if (!target.state.facet(EditorView.inputHandler).some((handle) => handle(target, from, to, letter, insert))) target.dispatch(insert());
}

it("moves to the next cell, aligning the columns", () => {
  expect(after(nextCell, ["|a^|bb|", "|-|:-:|", "|京都|c|"])).toEqual([
    "| a    | [bb]  |",
    "| ---- | :-: |",
    "| 京都 |  c  |",
  ]);
});

it("adds a row after the last cell", () => {
  expect(after(nextCell, ["| a |", "| --- |", "| b^ |"])).toEqual(["| a   |", "| --- |", "| b   |", "| ^    |"]);
});

it("moves back over the line of dashes", () => {
  expect(after(previousCell, ["| a   | b   |", "| --- | --- |", "| ^c   | d   |"])).toEqual(["| a   | [b]   |", "| --- | --- |", "| c   | d   |"]);
});

it("Enter goes down, adds a row, then leaves", () => {
  const two = ["| a^   |", "| --- |", "| b   |"];
  expect(after(cellBelow, two)?.[2]).toBe("| [b]   |");
  expect(after(cellBelow, ["| a   |", "| --- |", "| b^   |"])).toEqual(["| a   |", "| --- |", "| b   |", "| ^    |"]);
  expect(after(cellBelow, ["| a   |", "| --- |", "| ^    |", "", "x"])).toEqual(["| a   |", "| --- |", "", "^", "", "x"]);
  expect(after(cellBelow, ["> | a   |", "> | --- |", "> | ^    |"])).toEqual(["> | a   |", "> | --- |", ">", "> ^"]);
});

it("typing a row by hand adds no bars", () => {
  view = new EditorView({ state: stateOf(["| a | b |", "| --- | --- |", "| c | d^ |"]), parent: document.body });
  cellBelow(view);
  for (const letter of "| x | 1\\|2 |") type(view, letter);
  expect(shown(view.state)).toEqual(["| a   | b    |", "| --- | ---- |", "| c   | d    |", "| x   | 1\\|2 |^"]);
});

it("adds and removes rows and columns", () => {
  const table = ["| a   | b   |", "| --- | --- |", "| c^   | d   |"];
  expect(after(addRow, table)?.at(-1)).toBe("| ^    |     |");
  expect(after(addColumn, table)?.at(0)).toBe("| a   |     | b   |");
  expect(after(removeColumn, table)).toEqual(["| b   |", "| --- |", "| [d]   |"]);
  expect(after(removeRow, table)).toEqual(["| [a]   | b   |", "| --- | --- |"]);
});

it("keeps head, only column, escaped bars, uneven rows", () => {
  expect(after(removeRow, ["| a^ |", "| --- |"])).toBeNull();
  expect(after(removeColumn, ["| a^ |", "| --- |"])).toBeNull();
  expect(after(nextCell, ["| a\\|b^ | c |", "| --- | --- |", "| d |"])).toEqual(["| a\\|b | [c]   |", "| ---- | --- |", "| d    |     |"]);
});

it("edits tables in quotes, but no other text", () => {
  expect(after(nextCell, ["> | a^ | b |", "> | --- | --- |", "> | c | d |"])).toEqual(["> | a   | [b]   |", "> | --- | --- |", "> | c   | d   |"]);
  expect(after(nextCell, ["| a^ | b |"])).toBeNull();
});

it("an edited table is aligned on leaving it", async () => {
  const state = stateOf(["|a^|b|", "|-|-|", "|c|d|", "", "x"]);
  view = new EditorView({ state, parent: document.body });
  view.dispatch({ selection: { anchor: state.doc.length } });
  await Promise.resolve();
  expect(view.state.doc.line(1).text).toBe("|a|b|");
  view.dispatch({ changes: { from: 2, insert: "京都" }, selection: { anchor: 4 }, userEvent: "input.type" });
  await Promise.resolve();
  expect(view.state.doc.line(1).text).toBe("|a京都|b|");
  view.dispatch({ selection: { anchor: view.state.doc.length } });
  await Promise.resolve();
  expect(view.state.doc.toString()).toBe("| a京都 | b   |\n| ----- | --- |\n| c     | d   |\n\nx");
  expect(view.state.selection.main.head).toBe(view.state.doc.length);
});
