// Inline formatting: adds or removes the marks around a selection, or around the word at the cursor.
import { syntaxTree } from "@codemirror/language";
import { type ChangeSpec, type EditorState, EditorSelection, type SelectionRange, type StateCommand } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

interface Mark {
  /** The name of the parser's node. */
  node: string;
  /** The name of the node of its marks. */
  mark: string;
  text: string;
}

const STRONG: Mark = { node: "StrongEmphasis", mark: "EmphasisMark", text: "**" };
const EMPHASIS: Mark = { node: "Emphasis", mark: "EmphasisMark", text: "*" };
const STRIKETHROUGH: Mark = { node: "Strikethrough", mark: "StrikethroughMark", text: "~~" };
const CODE: Mark = { node: "InlineCode", mark: "CodeMark", text: "`" };

export const toggleBold = toggle(STRONG);
export const toggleItalic = toggle(EMPHASIS);
export const toggleStrikethrough = toggle(STRIKETHROUGH);

/** Code within a line, or a block of code if lines are selected. */
export const toggleCode: StateCommand = (target) => {
  const { from, to } = target.state.selection.main;
  const { doc } = target.state;
  return doc.lineAt(from).number === doc.lineAt(to).number ? toggle(CODE)(target) : fence(target);
};

function toggle(mark: Mark): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const spec = state.changeByRange((range) => toggleRange(state, range, mark));
    dispatch(state.update(spec, { scrollIntoView: true, userEvent: "input" }));
    return true;
  };
}

interface Change {
  changes: ChangeSpec[];
  range: SelectionRange;
}

function toggleRange(state: EditorState, range: SelectionRange, mark: Mark): Change {
  const node = enclosing(state, range, mark.node);
  if (node !== null) return stepOut(range, node, mark) ?? unwrap(range, node, mark);
  const { length } = mark.text;
  if (range.empty && isInEmptyPair(state, range.head, mark)) {
    return { changes: [{ from: range.head - length, to: range.head + length }], range: EditorSelection.cursor(range.head - length) };
  }
  return wrap(state, range.empty ? (state.wordAt(range.head) ?? range) : trimmed(state, range), range, mark);
}

/** Behind the last letter, the key ends the format: what is typed next is outside of the marks. */
function stepOut(range: SelectionRange, node: SyntaxNode, mark: Mark): Change | null {
  const close = node.getChildren(mark.mark).at(-1);
  return range.empty && close?.from === range.head ? { changes: [], range: EditorSelection.cursor(close.to) } : null;
}

/** Of three asterisks on both sides, two are bold and one is italic. */
function isInEmptyPair(state: EditorState, at: number, { text }: Mark): boolean {
  const line = state.doc.lineAt(at);
  const [before, after] = [line.text.slice(0, at - line.from), line.text.slice(at - line.from)];
  const sign = text.charAt(0);
  const count = Math.min(runLength([...before].reverse(), sign), runLength([...after], sign));
  return text === "*" ? count === 1 || count === 3 : text === "**" ? count >= 2 : count >= text.length;
}

function runLength(letters: readonly string[], sign: string): number {
  const end = letters.findIndex((letter) => letter !== sign);
  return end < 0 ? letters.length : end;
}

function wrap(state: EditorState, { from, to }: SelectionRange, range: SelectionRange, mark: Mark): Change {
  const { before, after } = marksAround(state.sliceDoc(from, to), mark);
  const changes = [
    { from, insert: before },
    { from: to, insert: after },
  ];
  if (range.empty) {
    // Behind a whole word, the cursor stays behind it.
    const behind = range.head === to && to > from ? after.length : 0;
    return { changes, range: EditorSelection.cursor(range.head + before.length + behind) };
  }
  return { changes, range: EditorSelection.range(from + before.length, to + before.length) };
}

/** Code that contains backticks has more of them around it, and spaces beside those at its ends. */
function marksAround(text: string, mark: Mark): { before: string; after: string } {
  if (mark !== CODE || !text.includes("`")) return { before: mark.text, after: mark.text };
  const longest = Math.max(...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return {
    before: ticks + (text.startsWith("`") ? " " : ""),
    after: (text.endsWith("`") ? " " : "") + ticks,
  };
}

function unwrap(range: SelectionRange, node: SyntaxNode, mark: Mark): Change {
  const marks = node.getChildren(mark.mark);
  const changes = marks.map(({ from, to }) => ({ from, to }));
  const moved = (at: number) => at - marks.reduce((removed, { from, to }) => removed + Math.max(0, Math.min(at, to) - from), 0);
  return { changes, range: EditorSelection.range(moved(range.anchor), moved(range.head)) };
}

/** The innermost node of a kind around a range; also if the range includes its marks. */
function enclosing(state: EditorState, { from, to }: SelectionRange, name: string): SyntaxNode | null {
  const tree = syntaxTree(state);
  for (let node: SyntaxNode | null = tree.resolveInner(from, 1); node !== null; node = node.parent) {
    if (node.name === name && node.from <= from && node.to >= to) return node;
  }
  for (let node: SyntaxNode | null = tree.resolveInner(to, -1); node !== null; node = node.parent) {
    if (node.name === name && node.from <= from && node.to >= to) return node;
  }
  return null;
}

/** Marks beside a space are no marks. */
function trimmed(state: EditorState, { from, to }: SelectionRange): SelectionRange {
  const text = state.sliceDoc(from, to);
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  return end <= start ? EditorSelection.range(from, to) : EditorSelection.range(from + start, from + end);
}

/** Puts the selected lines into a block of code, or takes them out of it. */
const fence: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const { doc, selection, lineBreak } = state;
  const [first, last] = [doc.lineAt(selection.main.from), doc.lineAt(selection.main.to)];
  const text = doc.sliceString(first.from, last.to);
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map(([, run = ""]) => run.length));
  const ticks = "`".repeat(longest + 1);
  dispatch(
    state.update({
      changes: [
        { from: first.from, insert: ticks + lineBreak },
        { from: last.to, insert: lineBreak + ticks },
      ],
      selection: { anchor: first.from + ticks.length },
      scrollIntoView: true,
      userEvent: "input",
    }),
  );
  return true;
};

/** Makes a link of the selection. The cursor goes to what is missing: the address, or the text of an address. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const spec = state.changeByRange((range) => {
    const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : trimmed(state, range);
    const text = state.sliceDoc(from, to);
    const insert = isAddress(text) ? `[](${text})` : `[${text}]()`;
    const at = isAddress(text) ? from + 1 : from + insert.length - 1;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(at) };
  });
  dispatch(state.update(spec, { scrollIntoView: true, userEvent: "input" }));
  return true;
};

/** True for a whole address of the web or of mail, without spaces. */
export function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|mailto:)\S+$/i.test(text);
}
