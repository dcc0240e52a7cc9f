// Where the cells of the grid are, for a list of any length. Pure: numbers in, numbers out.
import { rowWindow, type RowWindow } from "../widgets/virtual";

export const GAP = 10;
export const ROW_GAP = 12;
export const PADDING = 16;
/** A line for the name below each picture. */
export const CAPTION = 26;
/** Browsers lose elements taller than this, or some 33 million pixels: a longer grid scrolls scaled. */
export const TALLEST = 8_000_000;
const OVERSCAN = 2;
/** So near to an edge of the view a pointer that draws scrolls. */
const EDGE = 28;
/** For each pixel by which it is too near, in pixels a second. */
const EDGE_SPEED = 14;

export interface Shape {
  columns: number;
  /** Width of a cell, with the parts of a pixel that it has on the screen. */
  cellWidth: number;
  /** Side of the square that holds a picture. */
  box: number;
  rowHeight: number;
  rows: number;
  /** Height of all rows with the padding. */
  contentHeight: number;
  /** Height of the element that scrolls: the same, or less where that would be too tall. */
  scrollHeight: number;
}

/** As many columns as bring the cells nearest to the wanted width; they fill the line. */
export function gridShape(width: number, wanted: number, count: number): Shape {
  const inner = Math.max(1, width - 2 * PADDING);
  const columns = Math.max(1, Math.round((inner + GAP) / (wanted + GAP)));
  const cellWidth = (inner - GAP * (columns - 1)) / columns;
  const box = Math.floor(cellWidth);
  const rowHeight = box + CAPTION + ROW_GAP;
  const rows = Math.ceil(count / columns);
  const contentHeight = rows * rowHeight + 2 * PADDING;
  return { columns, cellWidth, box, rowHeight, rows, contentHeight, scrollHeight: Math.min(contentHeight, TALLEST) };
}

/** How far down the rows one is, for how far the element has scrolled. */
export function contentTop(shape: Shape, scrollTop: number, height: number): number {
  return scrollTop * scaleOf(shape, height);
}

/** The other way round. */
export function scrollTopFor(shape: Shape, top: number, height: number): number {
  return top / scaleOf(shape, height);
}

/** Where a row's element stands inside the scrolled element. */
export function rowTop(shape: Shape, row: number, scrollTop: number, height: number): number {
  return PADDING + row * shape.rowHeight - contentTop(shape, scrollTop, height) + scrollTop;
}

/** The rows that are drawn: those that can be seen, and a few around them. */
export function rowsInView(shape: Shape, scrollTop: number, height: number): RowWindow {
  return rowsAround(shape, scrollTop, height, OVERSCAN);
}

/** The rows of which at least a part can be seen. */
export function rowsSeen(shape: Shape, scrollTop: number, height: number): RowWindow {
  return rowsAround(shape, scrollTop, height, 0);
}

function rowsAround(shape: Shape, scrollTop: number, height: number, overscan: number): RowWindow {
  return rowWindow({
    scrollTop: contentTop(shape, scrollTop, height) - PADDING,
    height,
    rowHeight: shape.rowHeight,
    count: shape.rows,
    overscan,
  });
}

/** The scroll position nearest to the present one in which the row of a cell is wholly seen. */
export function scrollToShowCell(shape: Shape, index: number, scrollTop: number, height: number): number {
  const now = contentTop(shape, scrollTop, height);
  const top = Math.floor(index / shape.columns) * shape.rowHeight;
  const bottom = top + shape.rowHeight + PADDING;
  if (top < now) return scrollTopFor(shape, top, height);
  if (bottom > now + height) return scrollTopFor(shape, bottom - height, height);
  return scrollTop;
}

/** The cell that a key leads to, or null if the key is none of the grid's. */
export function moveFrom(index: number, key: string, shape: Shape, count: number, height: number): number | null {
  const page = Math.max(1, Math.floor(height / shape.rowHeight)) * shape.columns;
  const last = count - 1;
  const stay = (to: number) => (to < 0 || to > last ? index : to);
  switch (key) {
    case "ArrowLeft":
      return stay(index - 1);
    case "ArrowRight":
      return stay(index + 1);
    case "ArrowUp":
      return stay(index - shape.columns);
    case "ArrowDown":
      // From the last full row into a shorter one: to its last cell.
      return Math.floor(index / shape.columns) < shape.rows - 1 ? Math.min(last, index + shape.columns) : index;
    case "PageUp":
      return index - page >= 0 ? index - page : index % shape.columns;
    case "PageDown":
      return Math.min(last, index + page);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

/** In the content: from the left edge, and from where the first row's padding begins, however far one has scrolled. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Some columns of some rows. */
export interface Cells {
  firstRow: number;
  endRow: number;
  firstColumn: number;
  endColumn: number;
}

/** The cells of which a rectangle touches a part; null where it touches none. */
export function cellsIn(shape: Shape, { left, top, right, bottom }: Rectangle, count: number): Cells | null {
  const [firstColumn, endColumn] = stretch(left, right, shape.cellWidth, shape.cellWidth + GAP, shape.columns);
  const [firstRow, endRow] = stretch(top, bottom, shape.box + CAPTION, shape.rowHeight, shape.rows);
  const isEmpty = firstColumn >= endColumn || firstRow >= endRow || firstRow * shape.columns + firstColumn >= count;
  return isEmpty ? null : { firstRow, endRow, firstColumn, endColumn };
}

/** Which of some equal things in a line are touched, the last one excluded: each so long, and so far from the next. */
function stretch(from: number, to: number, length: number, step: number, count: number): [first: number, end: number] {
  const first = Math.floor((from - PADDING - length) / step) + 1;
  const end = Math.floor((to - PADDING) / step) + 1;
  return [Math.max(0, first), Math.min(count, end)];
}

/** How fast the content goes by when the pointer is at an edge of the view or beyond it, in pixels a second. */
export function edgeSpeed(y: number, height: number): number {
  const beyond = y < EDGE ? y - EDGE : Math.max(0, y - (height - EDGE));
  return beyond * EDGE_SPEED;
}

function scaleOf(shape: Shape, height: number): number {
  const scrollable = shape.scrollHeight - height;
  return scrollable <= 0 || shape.scrollHeight === shape.contentHeight ? 1 : (shape.contentHeight - height) / scrollable;
}
