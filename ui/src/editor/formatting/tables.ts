// Editing of tables: movement between cells, rows and columns, and alignment in the source.
import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, Prec, type StateCommand, type TransactionSpec } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { eastAsianWidth } from "get-east-asian-width";

type Alignment = "none" | "left" | "center" | "right";

interface Table {
  from: number;
  to: number;
  /** In front of each line: the marks of a quote, or the indentation of a list. */
  prefix: string;
  /** The cells' texts; the first row is the head, and the line of dashes is left out. */
  rows: string[][];
  alignments: Alignment[];
}

interface Cell {
  row: number;
  column: number;
}

/** A line that only begins like one of dashes is a row. */
const DASHES = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** The maximum length of a table that is aligned, in characters: a longer one is generated data. */
const MAX_ALIGNED = 50_000;

/** Returns the table at a position of the text. */
function tableAt(state: EditorState, at: number): Table | null {
  const range = rangeAt(state, at);
  return range === null ? null : read(state, range.from, range.to);
}

function rangeAt(state: EditorState, at: number): { from: number; to: number } | null {
  for (const side of [1, -1] as const) {
    let node = syntaxTree(state).resolveInner(at, side);
    while (node.name !== "Table" && node.parent !== null) node = node.parent;
    if (node.name === "Table" && node.to - node.from <= MAX_ALIGNED) return node;
  }
  return null;
}

function read({ doc }: EditorState, from: number, to: number): Table | null {
  const first = doc.lineAt(from);
  const prefix = first.text.slice(0, from - first.from);
  const rows: string[][] = [];
  let alignments: Alignment[] = [];
  for (let number = first.number; number <= doc.lineAt(to).number; number += 1) {
    const { text } = doc.line(number);
    const isPrefixed = number === first.number || text.startsWith(prefix) || text.startsWith(prefix.trimEnd());
    // A table that continues without the marks of its quote is not rewritten.
    if (!isPrefixed) return null;
    const line = text.slice(Math.min(prefix.length, text.length));
    if (number === first.number + 1 && DASHES.test(line)) alignments = cellsOf(line).map(alignmentOf);
    else rows.push(cellsOf(line));
  }
  const columns = Math.max(alignments.length, ...rows.map((row) => row.length));
  return {
    from: first.from + prefix.length,
    to: doc.lineAt(to).to,
    prefix,
    rows: rows.map((row) => filled(row, columns, "")),
    alignments: filled(alignments, columns, "none"),
  };
}

/** The texts between the bars, without spaces around them. A bar after a backslash belongs to the text. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  if (cells[0] === "" && cells.length > 1) cells.shift();
  if (cells.at(-1) === "" && cells.length > 1) cells.pop();
  return cells;
}

function alignmentOf(dashes: string): Alignment {
  const [left, right] = [dashes.startsWith(":"), dashes.endsWith(":") && dashes.length > 1];
  return left && right ? "center" : left ? "left" : right ? "right" : "none";
}

function filled<T>(list: readonly T[], length: number, value: T): T[] {
  return [...list, ...Array<T>(Math.max(0, length - list.length)).fill(value)];
}

/** The width in the columns of a font of equal widths. */
function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    width += eastAsianWidth(segment.codePointAt(0) ?? 0, { ambiguousAsWide: false });
  }
  return width;
}

/** The source of a table, and the position of each cell's text in it. */
function format({ prefix, rows, alignments }: Table, lineBreak: string): { text: string; starts: number[][]; ends: number[][] } {
  const widths = alignments.map((_, column) => Math.max(3, ...rows.map((row) => widthOf(row[column] ?? ""))));
  const starts: number[][] = [];
  const ends: number[][] = [];
  let text = "";
  rows.forEach((row, index) => {
    if (index > 0) text += lineBreak + prefix;
    starts.push([]);
    ends.push([]);
    row.forEach((cell, column) => {
      const [before, after] = padding(cell, widths[column] ?? 3, alignments[column] ?? "none");
      text += `| ${before}`;
      starts[index]?.push(text.length);
      text += cell;
      ends[index]?.push(text.length);
      text += `${after} `;
    });
    text += "|";
    if (index === 0) text += `${lineBreak}${prefix}${alignments.map((alignment, column) => dashes(alignment, widths[column] ?? 3)).join("")}|`;
  });
  return { text, starts, ends };
}

function padding(cell: string, width: number, alignment: Alignment): [string, string] {
  const space = Math.max(0, width - widthOf(cell));
  const before = alignment === "right" ? space : alignment === "center" ? Math.floor(space / 2) : 0;
  return [" ".repeat(before), " ".repeat(space - before)];
}

function dashes(alignment: Alignment, width: number): string {
  const left = alignment === "left" || alignment === "center" ? ":" : "-";
  const right = alignment === "right" || alignment === "center" ? ":" : "-";
  return `| ${left}${"-".repeat(width - 2)}${right} `;
}

/** The cell at a position. The line of dashes counts as the head. */
function cellAt(state: EditorState, table: Table, at: number): Cell {
  const line = state.doc.lineAt(at);
  const first = state.doc.lineAt(table.from).number;
  const row = Math.max(0, line.number - first - (line.number > first ? 1 : 0));
  const before = line.text.slice(Math.min(table.prefix.length, line.text.length), Math.max(0, at - line.from));
  const bars = before.match(/(?<!\\)\|/g)?.length ?? 0;
  const hasBar = line.text.slice(table.prefix.length).trimStart().startsWith("|");
  const column = Math.min(Math.max(0, bars - (hasBar ? 1 : 0)), table.alignments.length - 1);
  return { row: Math.min(row, table.rows.length - 1), column };
}

/** Rewrites a table, and selects the text of a cell, or goes to the end of its row. */
function rewrite(state: EditorState, old: Table, table: Table, { row, column }: Cell, goal: "text" | "end of row" = "text"): TransactionSpec {
  const { text, starts, ends } = format(table, state.lineBreak);
  const insert = state.toText(text);
  // Positions in the document count a line break as one.
  const at = (offset: number) => old.from + offset - (state.lineBreak.length - 1) * (text.slice(0, offset).split(state.lineBreak).length - 1);
  const [start, end] = [starts[row]?.[column] ?? 0, ends[row]?.[column] ?? 0];
  const lineEnd = text.indexOf(state.lineBreak, end);
  const rowEnd = lineEnd < 0 ? text.length : lineEnd;
  const [anchor, head] = goal === "text" ? [start, end] : [rowEnd, rowEnd];
  const isSame = state.sliceDoc(old.from, old.to) === text;
  return {
    ...(!isSame && { changes: { from: old.from, to: old.to, insert } }),
    selection: { anchor: at(anchor), head: at(head) },
    scrollIntoView: true,
    userEvent: isSame ? "select" : "input",
  };
}

/** Runs in a table only; elsewhere the key keeps its meaning. */
function inTable(work: (table: Table, cell: Cell) => { table: Table; cell: Cell } | "after" | null): StateCommand {
  return ({ state, dispatch }) => {
    const { ranges, main } = state.selection;
    const table = ranges.length === 1 && !state.readOnly ? tableAt(state, main.head) : null;
    if (table === null) return false;
    const result = work(table, cellAt(state, table, main.head));
    if (result === null) return false;
    if (result === "after") dispatch(leave(state, { ...table, rows: table.rows.slice(0, -1) }));
    else dispatch(state.update(rewrite(state, table, result.table, result.cell)));
    return true;
  };
}

/** Aligns the table, and moves the cursor to a line below it, after an empty one: without it, the text would be a row. */
function leave(state: EditorState, table: Table) {
  const { text } = format(table, state.lineBreak);
  const insert = state.toText(text + state.lineBreak + table.prefix.trimEnd() + state.lineBreak + table.prefix);
  const anchor = table.from + insert.length;
  return state.update({ changes: { from: table.from, to: table.to, insert }, selection: { anchor }, scrollIntoView: true, userEvent: "input" });
}

const emptyRow = (table: Table) => table.alignments.map(() => "");

/** After the last cell comes a new row. */
export const nextCell = inTable((table, { row, column }) => {
  if (column + 1 < table.alignments.length) return { table, cell: { row, column: column + 1 } };
  const rows = row + 1 < table.rows.length ? table.rows : [...table.rows, emptyRow(table)];
  return { table: { ...table, rows }, cell: { row: row + 1, column: 0 } };
});

export const previousCell = inTable((table, { row, column }) => {
  if (column > 0) return { table, cell: { row, column: column - 1 } };
  return { table, cell: row > 0 ? { row: row - 1, column: table.alignments.length - 1 } : { row, column } };
});

/** Goes to the cell below. In an empty last row, removes it and leaves the table. */
export const cellBelow = inTable((table, { row, column }) => {
  if (row + 1 < table.rows.length) return { table, cell: { row: row + 1, column } };
  const isEmpty = row > 0 && (table.rows[row] ?? []).every((cell) => cell === "");
  if (!isEmpty) return { table: { ...table, rows: [...table.rows, emptyRow(table)] }, cell: { row: row + 1, column: 0 } };
  return "after";
});

export const addRow = inTable((table, { row, column }) => ({
  table: { ...table, rows: table.rows.toSpliced(row + 1, 0, emptyRow(table)) },
  cell: { row: row + 1, column },
}));

/** The head can't be removed. */
export const removeRow = inTable((table, { row, column }) =>
  row === 0 ? null : { table: { ...table, rows: table.rows.toSpliced(row, 1) }, cell: { row: Math.min(row, table.rows.length - 2), column } },
);

export const addColumn = inTable((table, { row, column }) => ({
  table: {
    ...table,
    rows: table.rows.map((cells) => cells.toSpliced(column + 1, 0, "")),
    alignments: table.alignments.toSpliced(column + 1, 0, "none"),
  },
  cell: { row, column: column + 1 },
}));

/** The only column can't be removed. */
export const removeColumn = inTable((table, { row, column }) =>
  table.alignments.length === 1
    ? null
    : {
        table: { ...table, rows: table.rows.map((cells) => cells.toSpliced(column, 1)), alignments: table.alignments.toSpliced(column, 1) },
        cell: { row, column: Math.max(0, column - 1) },
      },
);

/**
 * A typed bar. Rows have their bars already: who types a row by hand goes on to the next cell, as with Tab, and a bar at
 * the start of an empty row is not doubled.
 */
export function typeBar(state: EditorState): TransactionSpec | null {
  const { ranges, main } = state.selection;
  const table = ranges.length === 1 && main.empty && !state.readOnly ? tableAt(state, main.head) : null;
  if (table === null || !isRow(state, table, main.head)) return null;
  const line = state.doc.lineAt(main.head);
  const rest = line.text.slice(main.head - line.from);
  const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(line.text.slice(0, main.head - line.from));
  if (isEscaped || !/^\s*\|/.test(rest)) return null;
  const cell = cellAt(state, table, main.head);
  if (cell.column === 0 && (table.rows[cell.row] ?? []).every((text) => text === "")) return { selection: main };
  if (cell.column + 1 < table.alignments.length) return rewrite(state, table, table, { ...cell, column: cell.column + 1 });
  return rewrite(state, table, table, cell, "end of row");
}

/** False in the head and in the line of dashes, which define the columns. */
function isRow(state: EditorState, table: Table, at: number): boolean {
  return state.doc.lineAt(at).number > state.doc.lineAt(table.from).number + 1;
}

export function isInTable(state: EditorState): boolean {
  return rangeAt(state, state.selection.main.head) !== null;
}

/** The keys, and the alignment of an edited table when the cursor leaves it. */
export function tableEditing(): Extension {
  const keys = [
    { key: "Tab", run: nextCell, shift: previousCell },
    { key: "Enter", run: cellBelow },
  ];
  const bars = EditorView.inputHandler.of((view, _from, _to, text) => {
    const spec = text === "|" && !view.composing ? typeBar(view.state) : null;
    if (spec === null) return false;
    view.dispatch(spec);
    return true;
  });
  return [Prec.highest(keymap.of(keys)), bars, alignOnLeaving];
}

const alignOnLeaving = ViewPlugin.define(() => {
  /** The start of the table that was edited, and that the cursor has not left yet. */
  let edited: number | null = null;
  return {
    update({ view, state, startState, changes, docChanged, selectionSet, transactions }: ViewUpdate) {
      if (edited !== null) edited = changes.mapPos(edited, -1);
      const isUndo = transactions.some((transaction) => transaction.isUserEvent("undo") || transaction.isUserEvent("redo"));
      const now = docChanged || selectionSet ? tableAt(state, state.selection.main.head) : null;
      if (docChanged && !isUndo && now !== null && startState.doc.length > 0) edited = now.from;
      if (edited === null || (!docChanged && !selectionSet) || now?.from === edited) return;
      const left = edited;
      edited = null;
      // An update can't be followed by another one immediately; and an input method must not lose its composition.
      queueMicrotask(() => {
        if (!view.composing && view.dom.isConnected) align(view, left);
      });
    },
  };
});

function align(view: EditorView, at: number): void {
  const { state } = view;
  const table = at <= state.doc.length ? tableAt(state, at) : null;
  if (table === null) return;
  const { text } = format(table, state.lineBreak);
  if (state.sliceDoc(table.from, table.to) === text) return;
  view.dispatch({ changes: { from: table.from, to: table.to, insert: state.toText(text) }, userEvent: "input" });
}
