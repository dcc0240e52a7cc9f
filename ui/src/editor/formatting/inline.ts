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
  if (node !== null) return unwrap(range, node, mark);
  const { length } = mark.text;
  const isEmptyPair =
    range.empty &&
    state.sliceDoc(range.head - length, range.head) === mark.text &&
    state.sliceDoc(range.head, range.head + length) === mark.text;
  if (isEmptyPair) {
    return { changes: [{ from: range.head - length, to: range.head + length }], range: EditorSelection.cursor(range.head - length) };
  }
  return wrap(state, range.empty ? (state.wordAt(range.head) ?? range) : trimmed(state, range), range, mark);
}

function wrap(state: EditorState, { from, to }: SelectionRange, range: SelectionRange, mark: Mark): Change {
  const { before, after } = marksAround(state.sliceDoc(from, to), mark);
  const changes = [
    { from, insert: before },
    { from: to, insert: after },
  ];
  if (range.empty) return { changes, range: EditorSelection.cursor(range.head + before.length) };
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
