import { describe, expect, it } from "vitest";
import { gridShape, rowOf, visibleRows, scrollToShowCell, scrollTopFor, topOf } from "./grid-geometry";
import { isFullyVisible, scrollTopOfAnchor, ResizeAnchor, anchorAt } from "./scroll-anchor";

const HEIGHT = 800;

describe("an anchor", () => {
  it.each([
    ["at the beginning", 300, [], 0],
    ["in the middle of a row", 300, [], 1_234],
    ["at the end", 300, [], 9_000],
    ["under the name of a group", 300, [{ first: 0, count: 7 }, { first: 7, count: 293 }], 300],
    ["in a folder that scrolls scaled", 2_000_000, [], 4_000_000],
  ])("%s is found again", (_where, count, groups, scrollTop) => {
    const shape = gridShape(1_000, 160, count, groups);
    const top = anchorAt(shape, scrollTop, HEIGHT);
    expect(scrollTopOfAnchor(shape, top, HEIGHT)).toBeCloseTo(scrollTop, 3);
    expect(isFullyVisible(shape, top.index, scrollTop, HEIGHT)).toBe(true);
    // It is the first such cell.
    const { first } = visibleRows(shape, scrollTop, HEIGHT);
    expect(rowOf(shape, top.index) - first).toBeLessThanOrEqual(1);
  });

  it("keeps its picture with other columns", () => {
    const top = anchorAt(gridShape(1_000, 160, 300), 1_234, HEIGHT);
    const narrow = gridShape(400, 160, 300);
    const scrollTop = scrollTopOfAnchor(narrow, top, HEIGHT);
    expect(scrollToShowCell(narrow, top.index, scrollTop, HEIGHT)).toBe(scrollTop);
    expect(rowOf(narrow, top.index) - visibleRows(narrow, scrollTop, HEIGHT).first).toBeLessThanOrEqual(1);
  });

  it("exists without a fully visible row", () => {
    const shape = gridShape(1_000, 160, 300);
    const low = shape.rowHeight / 2;
    const scrollTop = scrollTopFor(shape, 3 * shape.rowHeight + 30, low);
    const top = anchorAt(shape, scrollTop, low);
    expect(rowOf(shape, top.index)).toBe(3);
    expect(scrollTopOfAnchor(shape, top, low)).toBe(scrollTop);
  });
});

describe("resizing", () => {
  const wide = gridShape(1_000, 160, 300);
  const narrow = gridShape(600, 160, 300);
  const place = 3 * wide.rowHeight + 40;

  function staying() {
    const kept = new ResizeAnchor();
    expect(kept.follow(wide, HEIGHT, 0, 0)).toBeNull();
    return kept;
  }
  const go = (anchor: ResizeAnchor, ...how: Parameters<ResizeAnchor["follow"]>) => {
    const to = anchor.follow(...how);
    if (to !== null) anchor.record(to);
    return to ?? Number.NaN;
  };

  it("keeps the top while the focus is hidden", () => {
    const { index, above } = anchorAt(wide, place, HEIGHT);
    const to = staying().follow(narrow, HEIGHT, place, 0);
    expect(to).toBe(topOf(narrow, rowOf(narrow, index)) + above);
    // Growing cells don't move it either.
    const larger = gridShape(1_010, 160, 300);
    expect(staying().follow(larger, HEIGHT, place, 0)).toBe(topOf(larger, rowOf(larger, index)) + above);
  });

  it("keeps a visible focus visible", () => {
    const last = anchorAt(wide, place, HEIGHT).index + 14;
    expect(isFullyVisible(wide, last, place, HEIGHT)).toBe(true);
    const to = staying().follow(narrow, HEIGHT, place, last) ?? 0;
    expect(isFullyVisible(narrow, last, to, HEIGHT)).toBe(true);
    expect(to).toBeGreaterThan(staying().follow(narrow, HEIGHT, place, 0) ?? 0);
  });

  it("returns to the same top until scrolled", () => {
    const anchor = staying();
    let to = place;
    for (const width of [800, 600, 450, 600, 800]) to = go(anchor, gridShape(width, 160, 300), HEIGHT, to, 0);
    expect(go(anchor, wide, HEIGHT, to, 0)).toBe(place);
    const scrolled = go(anchor, narrow, HEIGHT, place + 5 * wide.rowHeight, 0);
    expect(anchorAt(narrow, scrolled, HEIGHT).index).toBeGreaterThan(anchorAt(narrow, to, HEIGHT).index);
  });

  it("ignores added and removed entries", () => {
    expect(staying().follow(gridShape(1_000, 160, 299), HEIGHT, place, 0)).toBeNull();
  });
});
