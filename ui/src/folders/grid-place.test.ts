import { describe, expect, it } from "vitest";
import { gridShape, rowOf, rowsSeen, scrollToShowCell, scrollTopFor } from "./grid-geometry";
import { isSeenWhole, scrollTopOf, topAt } from "./grid-place";

const HEIGHT = 800;

describe("where one is", () => {
  it.each([
    ["at the beginning", 300, [], 0],
    ["in the middle of a row", 300, [], 1_234],
    ["at the end", 300, [], 9_000],
    ["under the name of a group", 300, [{ first: 0, count: 7 }, { first: 7, count: 293 }], 300],
    ["in a folder that scrolls scaled", 2_000_000, [], 4_000_000],
  ])("%s is found again", (_where, count, groups, scrollTop) => {
    const shape = gridShape(1_000, 160, count, groups);
    const top = topAt(shape, scrollTop, HEIGHT);
    expect(scrollTopOf(shape, top, HEIGHT)).toBeCloseTo(scrollTop, 3);
    expect(isSeenWhole(shape, top.index, scrollTop, HEIGHT)).toBe(true);
    // It is the first such one.
    const { first } = rowsSeen(shape, scrollTop, HEIGHT);
    expect(rowOf(shape, top.index) - first).toBeLessThanOrEqual(1);
  });

  it("is at the same picture where there are other columns", () => {
    const top = topAt(gridShape(1_000, 160, 300), 1_234, HEIGHT);
    const narrow = gridShape(400, 160, 300);
    const scrollTop = scrollTopOf(narrow, top, HEIGHT);
    expect(scrollToShowCell(narrow, top.index, scrollTop, HEIGHT)).toBe(scrollTop);
    expect(rowOf(narrow, top.index) - rowsSeen(narrow, scrollTop, HEIGHT).first).toBeLessThanOrEqual(1);
  });

  it("is told also where no row is seen whole", () => {
    const shape = gridShape(1_000, 160, 300);
    const low = shape.rowHeight / 2;
    const scrollTop = scrollTopFor(shape, 3 * shape.rowHeight + 30, low);
    const top = topAt(shape, scrollTop, low);
    expect(rowOf(shape, top.index)).toBe(3);
    expect(scrollTopOf(shape, top, low)).toBe(scrollTop);
  });
});
