import { describe, expect, it } from "vitest";
import { gapAfter, gapBefore, isWhollyChanged, type Hunk, type Line, linesOfGap, pairRows } from "./diff-rows";

function line(kind: Line["kind"], old: number | null, now: number | null, text = "x"): Line {
  return { kind, old, new: now, spans: [{ text, changed: kind !== "context" }], end: "lf" };
}

/** A change of one line at a position, with three lines around. */
function hunk(old: number, now: number): Hunk {
  const around = (from: number) => [0, 1, 2].map((at) => line("context", old + from + at, now + from + at));
  const lines = [...around(0), line("removed", old + 3, null), line("added", null, now + 3), ...around(4)];
  return { lines, old_start: old, old_lines: 7, new_start: now, new_lines: 7 };
}

describe("two columns", () => {
  const shape = (lines: Line[]) => pairRows(lines).map((row) => [row.old?.old ?? null, row.new?.new ?? null]);

  it("show an addition beside the removal it replaces", () => {
    const lines = [line("context", 1, 1), line("removed", 2, null), line("removed", 3, null), line("added", null, 2)];
    expect(shape(lines)).toEqual([[1, 1], [2, 2], [3, null]]);
  });

  it("leave the other side empty for pure additions", () => {
    expect(shape([line("added", null, 1), line("context", 1, 2)])).toEqual([[null, 1], [1, 2]]);
  });

  it("start a new row for an adjacent change", () => {
    const lines = [line("added", null, 1), line("removed", 1, null), line("added", null, 2)];
    expect(shape(lines)).toEqual([[null, 1], [1, 2]]);
  });
});

describe("unchanged lines", () => {
  it("before the first change count from the start", () => {
    expect(gapBefore([hunk(11, 11)], 0)).toEqual({ oldStart: 1, newStart: 1, lines: 10 });
    expect(gapBefore([hunk(1, 1)], 0)).toBeNull();
  });

  it("between changes keep the numbers of both texts", () => {
    expect(gapBefore([hunk(1, 1), hunk(20, 22)], 1)).toEqual({ oldStart: 8, newStart: 8, lines: 14 });
  });

  it("after the last change end with full context", () => {
    expect(gapAfter([hunk(1, 1)])).toEqual({ oldStart: 8, newStart: 8, lines: null });
    const cut: Hunk = { ...hunk(1, 1), lines: hunk(1, 1).lines.slice(0, -1) };
    expect(gapAfter([cut])).toBeNull();
    expect(gapAfter([])).toBeNull();
  });

  it("follow the newer text with any line ending", () => {
    const lines = linesOfGap({ oldStart: 1, newStart: 2, lines: 2 }, "a\r\nb\n\nd\n");
    expect(lines.map(({ old, new: now, spans }) => [old, now, spans[0]?.text ?? ""])).toEqual([
      [1, 2, "b"],
      [2, 3, ""],
    ]);
    expect(linesOfGap({ oldStart: 9, newStart: 4, lines: null }, "a\nb\n\nd\n")).toHaveLength(1);
  });
});

it("marks no words in a completely new line", () => {
  const line = (...spans: Line["spans"]): Line => ({ kind: "added", old: null, new: 1, spans, end: "lf" });
  expect(isWhollyChanged(line({ text: "all of it", changed: true }))).toBe(true);
  expect(isWhollyChanged(line({ text: "a ", changed: false }, { text: "word", changed: true }))).toBe(false);
});
