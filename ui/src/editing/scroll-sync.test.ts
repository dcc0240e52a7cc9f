import { expect, it } from "vitest";
import { offsetOfLine } from "./scroll-sync";

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

it("has no place in an empty page, nor before the first block", () => {
  expect(offsetOfLine([], 3)).toBe(0);
  expect(offsetOfLine([{ line: 5, end: 6, top: 9, height: 9 }], 2)).toBe(0);
});
