// The positions of the grid's cells, for a list of any length. Pure: numbers in, numbers out.
import type { RowWindow } from "../../widgets/tree/virtual";

export const GAP = 10;
export const ROW_GAP = 12;
export const PADDING = 16;
/** The height of the line with the name below each picture. */
export const CAPTION = 26;
/** The height of a row of a list, and the side of the picture in it. */
export const LIST_ROW = 36;
export const LIST_BOX = 30;
/** The height of the line with the name of each group, with the space above it. */
export const HEADING = 40;
/**
 * The maximum height of the scrolled element. Browsers drop elements taller than this, or some 33 million pixels: a
 * longer grid scrolls scaled.
 */
export const TALLEST = 8_000_000;
const OVERSCAN = 2;
/** The distance to an edge of the view within which a drawing pointer scrolls. */
const EDGE = 28;
/** The speed for each pixel within that distance, in pixels a second. */
const EDGE_SPEED = 14;

/** The least width of a group that shares a row, so that its name can be read. */
const SHARED_WIDTH = 140;
/** The number of columns below which groups don't share rows. */
const SHARING_COLUMNS = 4;

/** A sequence of cells: a group. Small groups share a row, each under its own name; others start in rows of their own. */
export interface Section {
  /** The index of the section, from 0. */
  at: number;
  /** The index of its first cell. */
  first: number;
  count: number;
  firstRow: number;
  rows: number;
  /** The top of its heading, below the padding. */
  top: number;
  /** The first of its columns, and their number. */
  column: number;
  span: number;
  /** The index of the first section in its first row, and of that section's first cell. */
  lead: number;
  leadCell: number;
  /** The number of headings and rows before it, in reading order. */
  linesBefore: number;
}

export interface Shape {
  columns: number;
  /** The width of a cell, including the fraction of a pixel. */
  cellWidth: number;
  /** The side of the square around a picture. */
  box: number;
  /** The height of a cell, without the space below it. */
  cellHeight: number;
  rowHeight: number;
  rows: number;
  /** The height of each section's heading; 0 without groups. */
  heading: number;
  /** The number of rows of all sections and their headings. */
  lines: number;
  /** The sections in order; empty without cells. */
  sections: readonly Section[];
  /** The height of all rows and headings with the padding. */
  contentHeight: number;
  /** The height of the scrolled element: the same, or less if that would be too tall. */
  scrollHeight: number;
}

/**
 * Computes the shape. The number of columns brings the cells nearest to the wanted width, and they fill the line.
 * Without groups there is one section.
 */
export function gridShape(width: number, wanted: number, count: number, groups: Groups = []): Shape {
  const inner = Math.max(1, width - 2 * PADDING);
  const columns = Math.max(1, Math.round((inner + GAP) / (wanted + GAP)));
  const cellWidth = (inner - GAP * (columns - 1)) / columns;
  const box = Math.floor(cellWidth);
  const cellHeight = box + CAPTION;
  return shapeOf({ columns, cellWidth, box, cellHeight, rowHeight: cellHeight + ROW_GAP }, count, groups);
}

/** Computes the shape of a list: each cell fills a row. */
export function listShape(width: number, count: number, groups: Groups = []): Shape {
  const cellWidth = Math.max(1, width - 2 * PADDING);
  return shapeOf({ columns: 1, cellWidth, box: LIST_BOX, cellHeight: LIST_ROW, rowHeight: LIST_ROW }, count, groups);
}

type CellShape = Pick<Shape, "columns" | "cellWidth" | "box" | "cellHeight" | "rowHeight">;
type Groups = readonly Pick<Section, "first" | "count">[];

function shapeOf(cell: CellShape, count: number, groups: Groups): Shape {
  const { columns, rowHeight } = cell;
  const heading = groups.length > 0 ? HEADING : 0;
  const sections: Section[] = [];
  let [rows, top, lines] = [0, 0, 0];
  for (const { first, count: cells } of groups.length > 0 ? groups : [{ first: 0, count }]) {
    const ofGroup = Math.ceil(cells / columns);
    if (ofGroup === 0) continue;
    const span = heading > 0 ? spanOf(cell, cells) : columns;
    const before = sections.at(-1);
    const at = sections.length;
    if (before !== undefined && before.column + before.span + span <= columns) {
      const { firstRow, top: beside, lead, leadCell } = before;
      sections.push({ at, first, count: cells, firstRow, rows: 1, top: beside, column: before.column + before.span, span, lead, leadCell, linesBefore: lines });
    } else {
      sections.push({ at, first, count: cells, firstRow: rows, rows: ofGroup, top, column: 0, span, lead: at, leadCell: first, linesBefore: lines });
      rows += ofGroup;
      top += heading + ofGroup * rowHeight;
    }
    lines += ofGroup + (heading > 0 ? 1 : 0);
  }
  const contentHeight = top + 2 * PADDING;
  return { ...cell, rows, heading, lines, sections, contentHeight, scrollHeight: Math.min(contentHeight, TALLEST) };
}

/** Returns the number of columns that a group takes: all of them, unless it may share its row. */
function spanOf({ columns, cellWidth }: CellShape, count: number): number {
  const forName = Math.ceil((SHARED_WIDTH + GAP) / (cellWidth + GAP));
  return columns < SHARING_COLUMNS || count > columns ? columns : Math.min(columns, Math.max(count, forName));
}

/** True if other groups are in the row of a section, or may be. */
export function isShared({ columns }: Shape, { span }: Section): boolean {
  return span < columns;
}

/** Returns the sections that have cells in a row. */
export function sectionsOfRow(shape: Shape, row: number): readonly Section[] {
  const last = sectionOfRow(shape, row);
  return last === undefined ? [] : shape.sections.slice(last.lead, last.at + 1);
}

/** Returns the offset of a column inside the grid. */
export function leftOf({ cellWidth }: Pick<Shape, "cellWidth">, column: number): number {
  return PADDING + column * (cellWidth + GAP);
}

/** Returns the width of the columns of a section. */
export function widthOf({ cellWidth }: Pick<Shape, "cellWidth">, { span }: Section): number {
  return span * (cellWidth + GAP) - GAP;
}

/**
 * Returns the last section whose value is at most `value`, by one of its increasing numbers; the first one if none is.
 */
function sectionBy({ sections }: Shape, by: "first" | "firstRow" | "top", value: number): Section | undefined {
  let [low, high] = [0, sections.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sections[middle]?.[by] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return sections[low];
}

/** Returns the last section with cells in a row. */
export function sectionOfRow(shape: Shape, row: number): Section | undefined {
  return sectionBy(shape, "firstRow", row);
}

export function sectionOfCell(shape: Shape, index: number): Section | undefined {
  return sectionBy(shape, "first", index);
}

/** Returns the section at the top of the view, at this offset; the last one of its row. */
export function sectionAt(shape: Shape, top: number): Section | undefined {
  return sectionBy(shape, "top", top - PADDING);
}

export function rowOf(shape: Shape, index: number): number {
  const section = sectionOfCell(shape, index);
  return section ? section.firstRow + Math.floor((index - section.first) / shape.columns) : 0;
}

export function columnOf(shape: Shape, index: number): number {
  const { first, column } = sectionOfCell(shape, index) ?? { first: 0, column: 0 };
  return column + ((index - first) % shape.columns);
}

/** Returns the cells of a row, of all its sections, the end excluded. */
export function cellsOf(shape: Shape, row: number): { first: number; end: number } {
  const section = sectionOfRow(shape, row);
  if (!section) return { first: 0, end: 0 };
  const first = section.leadCell + (row - section.firstRow) * shape.columns;
  return { first, end: Math.min(first + shape.columns, section.first + section.count) };
}

/** Returns the cells of a section in one of its rows, the end excluded. */
export function cellsOfSection(shape: Shape, section: Section, row: number): { first: number; end: number } {
  const first = section.first + (row - section.firstRow) * shape.columns;
  return { first, end: Math.min(first + shape.columns, section.first + section.count) };
}

/** Returns the offset of a row below the padding. */
export function topOf(shape: Shape, row: number): number {
  const section = sectionOfRow(shape, row);
  return section ? section.top + shape.heading + (row - section.firstRow) * shape.rowHeight : 0;
}

/** Returns the row at an offset below the padding, or the one after a heading there. */
function rowAt(shape: Shape, top: number): number {
  const section = sectionBy(shape, "top", top);
  if (!section) return 0;
  const row = Math.floor((top - section.top - shape.heading) / shape.rowHeight);
  return section.firstRow + Math.max(0, Math.min(row, section.rows - 1));
}

/** Returns the number of rows that start above an offset below the padding. */
function rowsAbove(shape: Shape, bottom: number): number {
  const section = sectionBy(shape, "top", bottom);
  if (!section) return 0;
  const row = Math.ceil((bottom - section.top - shape.heading) / shape.rowHeight);
  return section.firstRow + Math.max(0, Math.min(row, section.rows));
}

/** Converts a scroll position to an offset in the content. */
export function contentTop(shape: Shape, scrollTop: number, height: number): number {
  return scrollTop * scaleOf(shape, height);
}

/** Converts an offset in the content to a scroll position. */
export function scrollTopFor(shape: Shape, top: number, height: number): number {
  return top / scaleOf(shape, height);
}

/** Returns the shift from offsets in the content to those in the scrolled element: 0 if the scrolling is not scaled. */
export function shiftOf(shape: Shape, scrollTop: number, height: number): number {
  return scrollTop - contentTop(shape, scrollTop, height);
}

/** Returns the offset of a row's element in the scrolled element. */
export function rowTop(shape: Shape, row: number, shift: number): number {
  return PADDING + topOf(shape, row) + shift;
}

/** Returns the offset of a section's heading in the scrolled element. */
export function headingTop({ top }: Section, shift: number): number {
  return PADDING + top + shift;
}

/**
 * Returns the same object as long as the window has the same rows, so that its dependents are not evaluated in each
 * frame.
 */
export function stableWindow(window: () => RowWindow): () => RowWindow {
  let last: RowWindow | undefined;
  return () => {
    const now = window();
    const isSame = last?.first === now.first && last.end === now.end;
    return (last = isSame && last ? last : now);
  };
}

/** Returns the rows that are drawn: the visible ones, and a few around them. */
export function renderedRows(shape: Shape, scrollTop: number, height: number): RowWindow {
  return rowsAround(shape, scrollTop, height, OVERSCAN);
}

/** Returns the rows that are at least partly visible. */
export function visibleRows(shape: Shape, scrollTop: number, height: number): RowWindow {
  return rowsAround(shape, scrollTop, height, 0);
}

function rowsAround(shape: Shape, scrollTop: number, height: number, overscan: number): RowWindow {
  const top = Math.max(0, contentTop(shape, scrollTop, height) - PADDING);
  return {
    first: Math.max(0, rowAt(shape, top) - overscan),
    end: Math.min(shape.rows, rowsAbove(shape, top + height) + overscan),
  };
}

/** Returns the nearest scroll position at which the row of a cell is fully visible, below the name of its group. */
export function scrollToShowCell(shape: Shape, index: number, scrollTop: number, height: number): number {
  const now = contentTop(shape, scrollTop, height);
  const row = topOf(shape, rowOf(shape, index));
  const top = row - shape.heading;
  const bottom = row + shape.rowHeight + PADDING;
  if (top < now) return scrollTopFor(shape, top, height);
  if (bottom > now + height) return scrollTopFor(shape, bottom - height, height);
  return scrollTop;
}

/** Returns the cell that a key leads to, or null if the grid does not handle the key. */
export function moveFrom(index: number, key: string, shape: Shape, count: number, height: number): number | null {
  const page = Math.max(1, Math.floor((height - shape.heading) / shape.rowHeight)) * shape.rowHeight;
  const last = count - 1;
  const row = rowOf(shape, index);
  const stay = (to: number) => (to < 0 || to > last ? index : to);
  switch (key) {
    case "ArrowLeft":
      return stay(index - 1);
    case "ArrowRight":
      return stay(index + 1);
    case "ArrowUp":
      return row > 0 ? below(shape, row - 1, index) : index;
    case "ArrowDown":
      return row < shape.rows - 1 ? below(shape, row + 1, index) : index;
    case "PageUp":
      return below(shape, rowAt(shape, topOf(shape, row) - page), index);
    case "PageDown":
      return below(shape, rowAt(shape, topOf(shape, row) + page), index);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

/** Returns the cell of a row in the column of another cell, or the one nearest to it. */
function below(shape: Shape, row: number, index: number): number {
  const column = columnOf(shape, index);
  const { first, end } = cellsOf(shape, row);
  let nearest = first;
  for (let cell = first + 1; cell < end; cell += 1) {
    if (Math.abs(columnOf(shape, cell) - column) < Math.abs(columnOf(shape, nearest) - column)) nearest = cell;
  }
  return nearest;
}

/**
 * A rectangle in the content: from the left edge, and from the start of the first row's padding, independent of
 * scrolling.
 */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A block of cells: some columns of some rows. */
export interface Cells {
  firstRow: number;
  endRow: number;
  firstColumn: number;
  endColumn: number;
}

/** Returns the cells that a rectangle touches; null if it touches none. */
export function cellsIn(shape: Shape, { left, top, right, bottom }: Rectangle): Cells | null {
  const [firstColumn, endColumn] = columnsIn(shape, left - PADDING, right - PADDING);
  const [firstRow, endRow] = rowsIn(shape, top - PADDING, bottom - PADDING);
  if (firstColumn >= endColumn || firstRow >= endRow) return null;
  const isBesideOnlyRow = endRow - firstRow === 1 && !hasCellIn(shape, firstRow, firstColumn, endColumn);
  return isBesideOnlyRow ? null : { firstRow, endRow, firstColumn, endColumn };
}

function hasCellIn(shape: Shape, row: number, firstColumn: number, endColumn: number): boolean {
  const { first, end } = cellsOf(shape, row);
  for (let cell = first; cell < end; cell += 1) {
    const column = columnOf(shape, cell);
    if (column >= firstColumn && column < endColumn) return true;
  }
  return false;
}

/** Returns the touched columns, the end excluded. */
function columnsIn({ cellWidth, columns }: Shape, left: number, right: number): [first: number, end: number] {
  const step = cellWidth + GAP;
  const first = Math.floor((left - cellWidth) / step) + 1;
  const end = Math.floor(right / step) + 1;
  return [Math.max(0, first), Math.min(columns, end)];
}

/** Returns the touched rows, the end excluded. */
function rowsIn(shape: Shape, top: number, bottom: number): [first: number, end: number] {
  if (bottom < 0) return [0, 0];
  const at = rowAt(shape, Math.max(0, top));
  // Between two rows, and below the last one, no row is touched.
  const isAbove = topOf(shape, at) + shape.cellHeight <= top;
  const last = rowAt(shape, bottom);
  return [isAbove ? at + 1 : at, topOf(shape, last) <= bottom ? last + 1 : last];
}

/** Returns the scroll speed for a pointer at an edge of the view or beyond it, in pixels a second. */
export function edgeSpeed(y: number, height: number): number {
  const beyond = y < EDGE ? y - EDGE : Math.max(0, y - (height - EDGE));
  return beyond * EDGE_SPEED;
}

function scaleOf(shape: Shape, height: number): number {
  const scrollable = shape.scrollHeight - height;
  return scrollable <= 0 || shape.scrollHeight === shape.contentHeight ? 1 : (shape.contentHeight - height) / scrollable;
}
