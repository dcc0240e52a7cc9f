// Where one is in the grid, in a way that holds for other columns and sizes. Pure: numbers in, numbers out.
import { cellsOf, contentTop, rowOf, rowsSeen, scrollToShowCell, scrollTopFor, type Shape, topOf } from "./grid-geometry";

export interface Top {
  /** The first cell that is seen whole; where none is, the first of which a part is. */
  index: number;
  /** How far its row begins above the edge of the view, in pixels; less than 0 where it begins below. */
  above: number;
}

export function isSeenWhole(shape: Shape, index: number, scrollTop: number, height: number): boolean {
  return scrollToShowCell(shape, index, scrollTop, height) === scrollTop;
}

export function topAt(shape: Shape, scrollTop: number, height: number): Top {
  const { first, end } = rowsSeen(shape, scrollTop, height);
  const cells = Array.from({ length: Math.max(1, end - first) }, (_, at) => cellsOf(shape, first + at).first);
  const index = cells.find((cell) => isSeenWhole(shape, cell, scrollTop, height)) ?? cells[0] ?? 0;
  return { index, above: contentTop(shape, scrollTop, height) - topOf(shape, rowOf(shape, index)) };
}

/** Where it is at the top again. */
export function scrollTopOf(shape: Shape, { index, above }: Top, height: number): number {
  return Math.max(0, scrollTopFor(shape, topOf(shape, rowOf(shape, index)) + above, height));
}
