import { describe, expect, it } from "vitest";
import { CAPTION, contentTop, gridShape, moveFrom, PADDING, ROW_GAP, rowsInView, rowTop, scrollToShowCell, TALLEST } from "./grid-geometry";

describe("the shape of the grid", () => {
  it("fills the line with cells as near to the wanted width as can be", () => {
    const shape = gridShape(1_000, 160, 100);
    expect(shape.columns).toBe(6);
    expect(shape.box).toBe(153);
    expect(shape.box * 6 + 10 * 5).toBeLessThanOrEqual(1_000 - 2 * PADDING);
    expect(shape.rowHeight).toBe(shape.box + CAPTION + ROW_GAP);
  });

  it("has one column where there is no room for more", () => {
    expect(gridShape(300, 512, 3)).toMatchObject({ columns: 1, box: 300 - 2 * PADDING, rows: 3 });
  });

  it("of nothing has no rows", () => {
    expect(gridShape(1_000, 160, 0)).toMatchObject({ rows: 0, contentHeight: 2 * PADDING });
  });
});

describe("a hundred thousand pictures", () => {
  const height = 800;
  const small = gridShape(1_300, 160, 100_000);
  const large = gridShape(420, 512, 100_000);

  it.each([0, 12_345, 999_999])("draw no more than a screen and its edges (scrolled to %i)", (scrollTop) => {
    const { first, end } = rowsInView(small, scrollTop, height);
    expect((end - first) * small.columns).toBeLessThan(120);
  });

  it("scroll scaled where the element would be too tall, from the first to the last row", () => {
    expect(large.contentHeight).toBeGreaterThan(TALLEST);
    expect(large.scrollHeight).toBe(TALLEST);
    expect(rowsInView(large, 0, height).first).toBe(0);
    const bottom = TALLEST - height;
    expect(rowsInView(large, bottom, height).end).toBe(100_000);
    expect(contentTop(large, bottom, height)).toBeCloseTo(large.contentHeight - height);
    // The last row ends where the element ends.
    const last = rowTop(large, 99_999, bottom, height);
    expect(last + large.rowHeight + PADDING).toBeCloseTo(TALLEST);
  });

  it("stand where they are seen", () => {
    for (const shape of [small, large]) {
      const scrollTop = scrollToShowCell(shape, 50_000, 0, height);
      const top = rowTop(shape, Math.floor(50_000 / shape.columns), scrollTop, height) - scrollTop;
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top + shape.rowHeight).toBeLessThanOrEqual(height + 1);
      expect(scrollToShowCell(shape, 50_000, scrollTop, height)).toBe(scrollTop);
    }
  });
});

describe("the keys of the grid", () => {
  // 5 columns, 3 rows, the last with 2 cells; two rows on a screen.
  const shape = gridShape(900, 160, 12);
  const move = (index: number, key: string) => moveFrom(index, key, shape, 12, shape.rowHeight * 2);

  it.each([
    [0, "ArrowRight", 1],
    [4, "ArrowRight", 5],
    [11, "ArrowRight", 11],
    [0, "ArrowLeft", 0],
    [1, "ArrowDown", 6],
    [8, "ArrowDown", 11],
    [11, "ArrowDown", 11],
    [3, "ArrowUp", 3],
    [11, "ArrowUp", 6],
    [0, "PageDown", 10],
    [4, "PageDown", 11],
    [11, "PageUp", 1],
    [7, "PageUp", 2],
    [7, "Home", 0],
    [7, "End", 11],
    [7, "Tab", null],
  ])("from %i by %s", (from, key, to) => {
    expect(move(from, key)).toBe(to);
  });
});
