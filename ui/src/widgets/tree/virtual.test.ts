import { expect, it } from "vitest";
import { drawnRows, rowWindow, scrollToShow } from "./virtual";

const base = { height: 280, rowHeight: 28, overscan: 2 };

it.each([
  [0, 1_000, { first: 0, end: 12 }],
  [2_800, 1_000, { first: 98, end: 112 }],
  [27_720, 1_000, { first: 988, end: 1_000 }],
  [-50, 1_000, { first: 0, end: 12 }],
  [0, 3, { first: 0, end: 3 }],
  [99_999, 3, { first: 3, end: 3 }],
  [0, 0, { first: 0, end: 0 }],
])("scrolled to %i of %i rows", (scrollTop, count, expected) => {
  expect(rowWindow({ ...base, scrollTop, count })).toEqual(expected);
});

it("keeps the focused row in its place", () => {
  const window = { first: 5, end: 8 };
  expect(drawnRows(window, 2, 20)).toEqual([2, 5, 6, 7]);
  expect(drawnRows(window, 6, 20)).toEqual([5, 6, 7]);
  expect(drawnRows(window, 19, 20)).toEqual([5, 6, 7, 19]);
  expect(drawnRows(window, 20, 20)).toEqual([5, 6, 7]);
});

it("scrolls no further than it must", () => {
  expect(scrollToShow(0, { ...base, scrollTop: 100 })).toBe(0);
  expect(scrollToShow(5, { ...base, scrollTop: 100 })).toBe(100);
  expect(scrollToShow(20, { ...base, scrollTop: 100 })).toBe(21 * 28 - 280);
});
