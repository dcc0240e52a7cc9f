import { describe, expect, it } from "vitest";
import { CAPTION, cellsIn, cellsOf, columnOf, contentTop, edgeSpeed, GAP, gridShape, HEADING, headingTop, leftOf, listShape, moveFrom, PADDING, ROW_GAP, rowOf, renderedRows, visibleRows, rowTop, scrollToShowCell, sectionAt, sectionOfRow, shiftOf, stableWindow, TALLEST } from "./grid-geometry";
import { cellSections } from "./grid-cells";
import { drawnSections } from "./grid-sections";

describe("the shape of the grid", () => {
  it("fills the line near the wanted width", () => {
    const shape = gridShape(1_000, 160, 100);
    expect(shape.columns).toBe(6);
    expect(shape.box).toBe(153);
    expect(shape.box * 6 + 10 * 5).toBeLessThanOrEqual(1_000 - 2 * PADDING);
    expect(shape.rowHeight).toBe(shape.box + CAPTION + ROW_GAP);
  });

  it("has one column in a narrow view", () => {
    expect(gridShape(300, 512, 3)).toMatchObject({ columns: 1, box: 300 - 2 * PADDING, rows: 3 });
  });

  it("of an empty folder has no rows", () => {
    expect(gridShape(1_000, 160, 0)).toMatchObject({ rows: 0, contentHeight: 2 * PADDING });
  });
});

describe("a hundred thousand pictures", () => {
  const height = 800;
  const small = gridShape(1_300, 160, 100_000);
  const large = gridShape(420, 512, 100_000);

  it.each([0, 12_345, 999_999])("render one screen only (scrolled to %i)", (scrollTop) => {
    const { first, end } = renderedRows(small, scrollTop, height);
    expect((end - first) * small.columns).toBeLessThan(120);
  });

  it("keep the window until its rows change", () => {
    let scrollTop = 5_000;
    const view = stableWindow(() => renderedRows(small, scrollTop, height));
    const before = view();
    scrollTop += 1;
    expect(view()).toBe(before);
    scrollTop += small.rowHeight;
    expect(view()).toEqual({ first: before.first + 1, end: before.end + 1 });
  });

  it("scroll scaled beyond the tallest element", () => {
    expect(large.contentHeight).toBeGreaterThan(TALLEST);
    expect(large.scrollHeight).toBe(TALLEST);
    expect(renderedRows(large, 0, height).first).toBe(0);
    const bottom = TALLEST - height;
    expect(renderedRows(large, bottom, height).end).toBe(100_000);
    expect(contentTop(large, bottom, height)).toBeCloseTo(large.contentHeight - height);
    // The last row ends at the end of the element.
    const last = rowTop(large, 99_999, shiftOf(large, bottom, height));
    expect(last + large.rowHeight + PADDING).toBeCloseTo(TALLEST);
  });

  it("are positioned where they are visible", () => {
    for (const shape of [small, large]) {
      const scrollTop = scrollToShowCell(shape, 50_000, 0, height);
      const top = rowTop(shape, Math.floor(50_000 / shape.columns), shiftOf(shape, scrollTop, height)) - scrollTop;
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

describe("a rectangle", () => {
  // Six columns of cells with a width of 153 and a fraction. Rows of 153 + 26, with 12 between them. The last row has
  // two cells.
  const shape = gridShape(1_000, 160, 20);
  const { cellWidth, rowHeight } = shape;
  const leftOf = (column: number) => PADDING + column * (cellWidth + GAP);
  const top = (row: number) => PADDING + row * rowHeight;
  const all = { firstRow: 0, endRow: 4, firstColumn: 0, endColumn: 6 };

  it.each<[string, [number, number, number, number], object | null]>([
    ["touches nothing in the padding", [0, 0, PADDING - 1, 500], null],
    ["touches nothing between two columns", [leftOf(1) - GAP + 1, 0, leftOf(1) - 1, 500], null],
    ["touches nothing between two rows", [0, top(1) - ROW_GAP + 1, 900, top(1) - 1], null],
    ["touches nothing beyond the last row", [0, top(4), 900, top(9)], null],
    ["touches nothing where the last row has no cells", [leftOf(2) + 5, top(3) + 5, leftOf(5), top(5)], null],
    ["touches a corner", [0, 0, PADDING + 1, PADDING + 1], { ...all, endRow: 1, endColumn: 1 }],
    ["touches the last pixel of a column", [leftOf(1) - GAP - 1, 0, leftOf(1) - 1, 20], { ...all, endRow: 1, endColumn: 1 }],
    ["touches the name below a picture", [0, top(1) - ROW_GAP - 1, 20, top(1) - 1], { ...all, endRow: 1, endColumn: 1 }],
    ["is within one cell", [leftOf(2) + 5, top(1) + 5, leftOf(2) + 9, top(1) + 9], { firstRow: 1, endRow: 2, firstColumn: 2, endColumn: 3 }],
    ["touches four", [leftOf(2) - 20, top(1) - 20, leftOf(2) + 1, top(1) + 1], { firstRow: 0, endRow: 2, firstColumn: 1, endColumn: 3 }],
    ["holds all, and more", [-50, -50, 5_000, 5_000], all],
  ])("%s", (_, [left, top, right, bottom], expected) => {
    expect(cellsIn(shape, { left, top, right, bottom })).toEqual(expected);
  });

  it("finds cells among a hundred thousand fast", () => {
    const tall = gridShape(420, 512, 100_000);
    const end = tall.contentHeight;
    expect(cellsIn(tall, { left: 20, top: end - 3 * tall.rowHeight, right: 30, bottom: end })).toEqual({
      firstRow: 99_997,
      endRow: 100_000,
      firstColumn: 0,
      endColumn: 1,
    });
  });
});

it.each([
  [400, 0],
  [28, 0],
  [8, -280],
  [-72, -1_400],
  [792, 280],
])("a pointer at %i scrolls by %i pixels", (y, speed) => {
  expect(edgeSpeed(y, 800)).toBe(speed);
});

describe("groups", () => {
  // Five columns: 7, 3 and 12 cells make 2, 1 and 3 rows, with a heading above each group.
  const groups = [
    { first: 0, count: 7 },
    { first: 7, count: 3 },
    { first: 10, count: 12 },
  ];
  const shape = gridShape(900, 160, 22, groups);
  const { rowHeight } = shape;
  const height = rowHeight * 2 + HEADING;

  it("start in their own rows, below headings", () => {
    expect([shape.columns, shape.rows]).toEqual([5, 6]);
    expect(shape.sections.map(({ firstRow, top }) => [firstRow, top])).toEqual([
      [0, 0],
      [2, HEADING + 2 * rowHeight],
      [3, 2 * HEADING + 3 * rowHeight],
    ]);
    expect(shape.contentHeight).toBe(3 * HEADING + 6 * rowHeight + 2 * PADDING);
    expect([0, 1, 2, 3, 5].map((row) => cellsOf(shape, row))).toEqual([
      { first: 0, end: 5 },
      { first: 5, end: 7 },
      { first: 7, end: 10 },
      { first: 10, end: 15 },
      { first: 20, end: 22 },
    ]);
    expect([0, 6, 7, 9, 10, 21].map((index) => [rowOf(shape, index), columnOf(shape, index)])).toEqual([[0, 0], [1, 1], [2, 0], [2, 2], [3, 0], [5, 1]]);
  });

  it.each([
    [6, "ArrowRight", 7],
    [7, "ArrowLeft", 6],
    [4, "ArrowDown", 6],
    [6, "ArrowDown", 8],
    [8, "ArrowDown", 11],
    [14, "ArrowUp", 9],
    [8, "ArrowUp", 6],
    [0, "PageDown", 7],
    [21, "PageUp", 11],
    [9, "Home", 0],
    [9, "End", 21],
  ])("are traversed from %i by %s", (from, key, to) => {
    expect(moveFrom(from, key, shape, 22, height)).toBe(to);
  });

  it("are rendered where visible", () => {
    expect(visibleRows(shape, 0, height)).toEqual({ first: 0, end: 2 });
    // A heading is at the top: the row below it is the first one.
    const heading = sectionOfRow(shape, 2);
    if (!heading) throw new Error("there is no second section");
    const second = PADDING + heading.top;
    expect(visibleRows(shape, second, HEADING + 1)).toEqual({ first: 2, end: 3 });
    expect(sectionAt(shape, second)?.at).toBe(1);
    expect(sectionAt(shape, second - 1)?.at).toBe(0);
    expect(headingTop(heading, shiftOf(shape, second, height))).toBe(second);
    expect(rowTop(shape, 2, shiftOf(shape, second, height))).toBe(second + HEADING);
  });

  it("show a cell below its group's name", () => {
    const top = scrollToShowCell(shape, 12, 2_000, height);
    expect(rowTop(shape, 3, shiftOf(shape, top, height)) - top).toBe(HEADING + PADDING);
    const bottom = scrollToShowCell(shape, 21, 0, height);
    expect(rowTop(shape, 5, shiftOf(shape, bottom, height)) - bottom + rowHeight).toBe(height);
  });

  it("are not touched at headings or gaps", () => {
    const all = { left: 0, right: 900 };
    const at = (top: number, bottom: number) => cellsIn(shape, { ...all, top: top + PADDING, bottom: bottom + PADDING });
    const second = shape.sections[1]?.top ?? 0;
    expect(at(0, HEADING - 1)).toBeNull();
    expect(at(second + 1, second + HEADING - 1)).toBeNull();
    expect(at(HEADING + 10, second + HEADING + 1)).toEqual({ firstRow: 0, endRow: 3, firstColumn: 0, endColumn: 5 });
    expect(cellsIn(shape, { left: 600, right: 900, top: PADDING + second + HEADING + 5, bottom: PADDING + second + HEADING + 9 })).toBeNull();
  });

  it("that are empty have no heading", () => {
    expect(gridShape(900, 160, 3, [{ first: 0, count: 0 }, { first: 0, count: 3 }]).sections).toHaveLength(1);
  });
});

describe("small groups", () => {
  // Six columns: the first three groups take two each, and the fourth one three. The fifth one has two rows.
  const counts = [1, 2, 1, 3, 9, 2];
  const groups = counts.map((count, at) => ({ first: counts.slice(0, at).reduce((sum, one) => sum + one, 0), count }));
  const shape = gridShape(640, 96, 18, groups);

  it("share a row", () => {
    expect([shape.columns, shape.rows]).toEqual([6, 5]);
    expect(shape.sections.map(({ firstRow, column, span }) => [firstRow, column, span])).toEqual([[0, 0, 2], [0, 2, 2], [0, 4, 2], [1, 0, 3], [2, 0, 6], [4, 0, 2]]);
    expect(shape.contentHeight).toBe(4 * HEADING + 5 * shape.rowHeight + 2 * PADDING);
    expect([0, 1, 2, 4].map((row) => cellsOf(shape, row))).toEqual([
      { first: 0, end: 4 },
      { first: 4, end: 7 },
      { first: 7, end: 13 },
      { first: 16, end: 18 },
    ]);
    expect([0, 1, 2, 3, 6, 15].map((index) => [rowOf(shape, index), columnOf(shape, index)])).toEqual([[0, 0], [0, 2], [0, 3], [0, 4], [1, 2], [3, 2]]);
  });

  it("take no more columns than their names need", () => {
    expect(gridShape(1_000, 160, 18, groups).sections.map(({ firstRow, column, span }) => [firstRow, column, span])).toEqual([[0, 0, 1], [0, 1, 2], [0, 3, 1], [1, 0, 3], [2, 0, 6], [4, 0, 2]]);
  });

  it("are drawn with their own cells", () => {
    const drawn = cellSections()(shape, drawnSections(shape, [0, 1, 2]), () => undefined);
    expect(drawn.map(({ section, cells }) => [section.at, cells.map(({ index, column }) => [index, column])])).toEqual([
      [0, [[0, 0]]],
      [1, [[1, 2], [2, 3]]],
      [2, [[3, 4]]],
      [3, [[4, 0], [5, 1], [6, 2]]],
      [4, [[7, 0], [8, 1], [9, 2], [10, 3], [11, 4], [12, 5]]],
    ]);
  });

  it("are numbered line by line", () => {
    expect(shape.sections.map(({ linesBefore }) => linesBefore)).toEqual([0, 2, 4, 6, 8, 11]);
    expect(shape.lines).toBe(13);
  });

  it.each([
    [0, "ArrowRight", 1],
    [3, "ArrowRight", 4],
    [2, "ArrowDown", 6],
    [3, "ArrowDown", 6],
    [6, "ArrowUp", 1],
    [4, "ArrowUp", 0],
    [12, "ArrowUp", 6],
    [12, "ArrowDown", 15],
  ])("are traversed from %i by %s", (from, key, to) => {
    expect(moveFrom(from, key, shape, 18, 800)).toBe(to);
  });

  it("are touched where they have cells", () => {
    const top = PADDING + HEADING + 5;
    const between = (first: number, end: number) => cellsIn(shape, { left: leftOf(shape, first) + 5, right: leftOf(shape, end) - GAP - 5, top, bottom: top + 10 });
    expect(between(1, 2)).toBeNull();
    expect(between(2, 3)).toEqual({ firstRow: 0, endRow: 1, firstColumn: 2, endColumn: 3 });
  });

  it("are shown below their names", () => {
    expect(scrollToShowCell(shape, 3, 500, 400)).toBe(0);
    expect(sectionAt(shape, PADDING)).toMatchObject({ at: 2, lead: 0 });
  });

  it.each([
    ["in a narrow window", gridShape(300, 96, 18, groups)],
    ["in a list", listShape(1_000, 18, groups)],
  ])("have rows of their own %s", (_where, { sections }) => {
    expect(sections.every(({ column, lead, at }) => column === 0 && lead === at)).toBe(true);
  });
});

it("find each cell and row among thousands", () => {
  const groups = Array.from({ length: 5_000 }, (_, at) => ({ first: at * 20, count: 20 }));
  const shape = gridShape(420, 512, 100_000, groups);
  expect(shape.scrollHeight).toBe(TALLEST);
  for (const index of [0, 19, 20, 54_321, 99_999]) {
    const row = rowOf(shape, index);
    expect(cellsOf(shape, row)).toEqual({ first: index, end: index + 1 });
    const scrollTop = scrollToShowCell(shape, index, 0, 800);
    const { first, end } = visibleRows(shape, scrollTop, 800);
    expect(first <= row && row < end).toBe(true);
    expect(end - first).toBeLessThan(4);
  }
});
