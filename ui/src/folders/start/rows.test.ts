import { expect, it } from "vitest";
import { countInRows } from "./rows";

const items = (...widths: number[]) => widths.map((width) => ({ width }));

it.each([
  [[100, 100, 100, 100, 100], 206, 4],
  [[100, 100, 100, 100, 100], 205, 2],
  [[100, 100], 1_000, 2],
  [[300, 300, 300], 200, 2],
  [[], 200, 0],
])("of widths %j, rows of %i take %i", (widths, available, expected) => {
  expect(countInRows(items(...widths), { available, gap: 6, rows: 2 })).toBe(expected);
});
