// Block formatting: headings, lists, tasks and quotes of whole lines, and blocks that are inserted.
import { type ChangeSpec, type EditorState, type Line, type StateCommand, type Text, type TransactionSpec } from "@codemirror/state";

const HEADING = /^(#{1,6})(?:[ \t]+|$)/;
const QUOTE = /^> ?/;
/** The indentation of an item, its marker, and its task box. */
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const TASK = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]/;
const BULLET = /^\s*[-*+][ \t]+(?!\[[ xX]\][ \t])/;
const NUMBER = /^\s*\d{1,9}[.)][ \t]+(?!\[[ xX]\][ \t])/;

/** Makes headings of the lines, or text again if all of them are headings of this level. */
export function toggleHeading(level: number): StateCommand {
  const marks = `${"#".repeat(level)} `;
  return changeLines((lines) => {
    const isOn = lines.every(({ text }) => HEADING.exec(text)?.[1]?.length === level);
    return lines.map(({ text }) => (isOn ? "" : marks) + text.replace(HEADING, ""));
  });
}

export const toggleQuote = changeLines((lines) => {
  const isOn = lines.every(({ text }) => QUOTE.test(text));
  return lines.map(({ text }) => (isOn ? text.replace(QUOTE, "") : `> ${text}`));
}, "all");

export const toggleBulletList = toggleList(BULLET, () => "- ");
export const toggleNumberedList = toggleList(NUMBER, (index) => `${index + 1}. `);
export const toggleTaskList = toggleList(TASK, () => "- [ ] ");

function toggleList(isItem: RegExp, marker: (index: number) => string): StateCommand {
  return changeLines((lines) => {
    const isOn = lines.every(({ text }) => isItem.test(text));
    return lines.map(({ text }, index) => {
      const indentation = /^\s*/.exec(text)?.[0] ?? "";
      const rest = text.replace(ITEM, "$1").slice(indentation.length);
      return indentation + (isOn ? "" : marker(index)) + rest;
    });
  });
}

/** Replaces the selected lines. Blank ones between others are left alone, unless `which` is "all". */
function changeLines(work: (lines: Line[]) => string[], which: "all" | "written" = "written"): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const selected = linesOf(state);
    const written = selected.filter(({ text }) => text.trim() !== "");
    const lines = which === "all" || written.length === 0 ? selected : written;
    const texts = work(lines);
    // Only the differing beginning is replaced, so that the cursor and the selection stay where they were.
    const changes = lines.map((line, index) => prefixChange(line, texts[index] ?? line.text));
    dispatch(state.update({ changes, selection: state.selection.map(state.changes(changes), 1), scrollIntoView: true, userEvent: "input" }));
    return true;
  };
}

function prefixChange({ from, text }: Line, now: string): ChangeSpec {
  let same = 0;
  while (same < text.length && same < now.length && text[text.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  return { from, to: from + text.length - same, insert: now.slice(0, now.length - same) };
}

function linesOf({ doc, selection }: EditorState): Line[] {
  const numbers = new Set<number>();
  for (const { from, to, empty } of selection.ranges) {
    const last = doc.lineAt(to);
    // A selection that ends at the start of a line does not include it.
    const end = !empty && last.from === to && last.from > from ? last.number - 1 : last.number;
    for (let number = doc.lineAt(from).number; number <= end; number += 1) numbers.add(number);
  }
  return [...numbers].map((number) => doc.line(number));
}

/** A block to insert; the marked part is selected. */
export interface Block {
  before: string;
  selected?: string;
  after?: string;
}

/** A block of code, around the selected lines if there are any. */
export const CODE_BLOCK: Block = { before: "```", after: "\n\n```" };
export const FORMULA: Block = { before: "$$\n", after: "\n$$" };
export const RULE: Block = { before: "---\n" };

/** Inserts a block in place of some text, separated from its surroundings by blank lines. */
export function insertBlock(state: EditorState, { before, selected = "", after = "" }: Block, from: number, to: number): TransactionSpec {
  const lead = missingLines(state.doc, from, "before");
  const trail = missingLines(state.doc, to, "after");
  const start = from + lead.length + before.length;
  return {
    changes: { from, to, insert: state.toText(lead + before + selected + after + trail) },
    selection: { anchor: start, head: start + selected.length },
    scrollIntoView: true,
    userEvent: "input",
  };
}

/** The line breaks that are missing for a blank line beside a position. */
function missingLines(doc: Text, at: number, side: "before" | "after"): string {
  const line = doc.lineAt(at);
  const beside = side === "before" ? line.text.slice(0, at - line.from) : line.text.slice(at - line.from);
  if (beside.trim() !== "") return "\n\n";
  const next = side === "before" ? line.number - 1 : line.number + 1;
  if (next < 1 || next > doc.lines) return "";
  return doc.line(next).text.trim() === "" ? "" : "\n";
}
