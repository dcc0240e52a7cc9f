import { expect, it } from "vitest";
import { lineAtOffset, offsetOfLine } from "./scroll-sync";

const BLOCKS = [
  { line: 0, end: 1, top: 20, height: 40 },
  { line: 2, end: 6, top: 80, height: 100 },
  { line: 8, end: 9, top: 220, height: 30 },
];

it.each([
  [0, 20],
  [0.5, 40],
  [1, 60],
  [1.5, 70],
  [2, 80],
  [4, 130],
  [6, 180],
  [7, 200],
  [8, 220],
  [9, 250],
  [99, 250],
])("line %d is at %d", (line, offset) => {
  expect(offsetOfLine(BLOCKS, line)).toBe(offset);
});

it.each([0, 0.5, 1, 1.5, 2, 4, 6, 7, 8, 8.5, 9])("line %d is found at its position", (line) => {
  expect(lineAtOffset(BLOCKS, offsetOfLine(BLOCKS, line))).toBeCloseTo(line);
});

it("places the first and last lines outside blocks", () => {
  expect([lineAtOffset([], 50), lineAtOffset(BLOCKS, 5), lineAtOffset(BLOCKS, 999)]).toEqual([0, 0, 9]);
});

it("starts at zero without or before any block", () => {
  expect(offsetOfLine([], 3)).toBe(0);
  expect(offsetOfLine([{ line: 5, end: 6, top: 9, height: 9 }], 2)).toBe(0);
});
