// A diff as rows to draw: one column, or two with removed lines beside the added ones that replace them.
import type { PageDiff } from "../api/backend";

export type Hunk = PageDiff["hunks"][number];
export type Line = Hunk["lines"][number];

/** A row of two columns; null if one side is empty. */
export interface PairedRow {
  old: Line | null;
  new: Line | null;
}

/** A range that both texts share. Line numbers start at 1. */
export interface Gap {
  oldStart: number;
  newStart: number;
  /** null for the rest of the text, whose length is unknown. */
  lines: number | null;
}

export function pairRows(lines: readonly Line[]): PairedRow[] {
  const rows: PairedRow[] = [];
  let [removed, added]: [Line[], Line[]] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      rows.push({ old: removed[at] ?? null, new: added[at] ?? null });
    }
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === "removed") {
      // A removal after an addition starts another change.
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      flush();
      rows.push({ old: line, new: line });
    }
  }
  flush();
  return rows;
}

/** True for a line without unchanged parts: marking words in it is pointless. */
export function isWhollyChanged(line: Line): boolean {
  return line.spans.every(({ changed }) => changed);
}

/** The unchanged lines before a hunk; null if there are none. */
export function gapBefore(hunks: readonly Hunk[], index: number): Gap | null {
  const hunk = hunks[index];
  if (hunk === undefined) return null;
  const before = hunks[index - 1];
  const start = before === undefined ? { old: 1, new: 1 } : endOf(before);
  // A side without lines in the hunk is numbered 0: then the other one counts.
  const lines = hunk.new_start > 0 ? hunk.new_start - start.new : hunk.old_start - start.old;
  return lines > 0 ? { oldStart: start.old, newStart: start.new, lines } : null;
}

/** The unchanged lines after the last hunk, if there may be any. */
export function gapAfter(hunks: readonly Hunk[]): Gap | null {
  const last = hunks.at(-1);
  if (last === undefined) return null;
  const isContext = last.lines.slice(-CONTEXT).filter(({ kind }) => kind === "context").length === CONTEXT;
  const end = endOf(last);
  return isContext ? { oldStart: end.old, newStart: end.new, lines: null } : null;
}

/** The lines of a gap, cut out of the newer text. */
export function linesOfGap({ oldStart, newStart, lines }: Gap, text: string): Line[] {
  const all = text.split(/\r\n|\r|\n/);
  if (all.at(-1) === "") all.pop();
  const cut = all.slice(newStart - 1, lines === null ? undefined : newStart - 1 + lines);
  return cut.map((words, at) => ({
    kind: "context",
    old: oldStart + at,
    new: newStart + at,
    spans: words === "" ? [] : [{ text: words, changed: false }],
    end: "lf",
  }));
}

/** The number of unchanged lines that the server leaves around a change. */
const CONTEXT = 3;

function endOf({ lines, old_start, new_start, old_lines, new_lines }: Hunk): { old: number; new: number } {
  const last = lines.at(-1);
  return {
    old: last?.kind === "context" ? (last.old ?? 0) + 1 : old_start + old_lines,
    new: last?.kind === "context" ? (last.new ?? 0) + 1 : new_start + new_lines,
  };
}
