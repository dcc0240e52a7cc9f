import { expect, it } from "vitest";
import { currentHeading } from "./scroll-spy";

it.each([
  [[], false, -1],
  [[20, 300, 900], false, 0],
  [[200, 300, 900], false, 0],
  [[-200, 90, 600], false, 1],
  [[-900, -300, -10], false, 2],
  [[-900, 200, 400], true, 2],
] as [number[], boolean, number][])("%j, at the end: %s → %d", (tops, atEnd, expected) => {
  expect(currentHeading(tops.length, (index) => tops[index] ?? 0, atEnd)).toBe(expected);
});
