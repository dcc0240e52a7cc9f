// Where one is in the grid, in a way that holds for other columns and sizes. Numbers in, numbers out.
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

/** What is at the top stays there when the cells change their size or the window its width, and the focus on the screen. */
export class StayingTop {
  #before: { shape: Shape; height: number } | null = null;
  #top: Top | null = null;
  #own = -1;

  /** Where to scroll to, now that the shape is another one; null where nothing would move. */
  follow(shape: Shape, height: number, scrollTop: number, focus: number): number | null {
    const before = this.#before;
    this.#before = { shape, height };
    if (before === null || isAsBefore(shape, before.shape)) return null;
    if (shape.columns === before.shape.columns && shape.rowHeight === before.shape.rowHeight) {
      // Others have come or gone, of which whoever brings them takes care.
      this.#top = null;
      return null;
    }
    // Who makes a window narrow and wide again is where they were: what stood at the top counts until they scroll.
    if (this.#top === null || scrollTop !== this.#own) this.#top = topAt(before.shape, scrollTop, before.height);
    const to = scrollTopOf(shape, this.#top, height);
    return isSeenWhole(before.shape, focus, scrollTop, before.height) ? scrollToShowCell(shape, focus, to, height) : to;
  }

  /** Where that has led: the end may be nearer, and engines round. */
  came(scrollTop: number): void {
    this.#own = scrollTop;
  }
}

function isAsBefore(shape: Shape, before: Shape): boolean {
  return shape.columns === before.columns && shape.rowHeight === before.rowHeight && shape.contentHeight === before.contentHeight;
}
