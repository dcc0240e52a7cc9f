// A position in the grid that is valid for other columns and sizes. Numbers in, numbers out.
import type { ScrollAnchor } from "../session/session-memory";
import { cellsOf, contentTop, rowOf, visibleRows, scrollToShowCell, scrollTopFor, type Shape, topOf } from "./grid-geometry";

export function isFullyVisible(shape: Shape, index: number, scrollTop: number, height: number): boolean {
  return scrollToShowCell(shape, index, scrollTop, height) === scrollTop;
}

export function anchorAt(shape: Shape, scrollTop: number, height: number): ScrollAnchor {
  const { first, end } = visibleRows(shape, scrollTop, height);
  const cells = Array.from({ length: Math.max(1, end - first) }, (_, at) => cellsOf(shape, first + at).first);
  const index = cells.find((cell) => isFullyVisible(shape, cell, scrollTop, height)) ?? cells[0] ?? 0;
  return { index, above: contentTop(shape, scrollTop, height) - topOf(shape, rowOf(shape, index)) };
}

/** Returns the scroll position that puts it at the top again. */
export function scrollTopOfAnchor(shape: Shape, { index, above }: ScrollAnchor, height: number): number {
  return Math.max(0, scrollTopFor(shape, topOf(shape, rowOf(shape, index)) + above, height));
}

/** Keeps the top in place, and the focus visible, when the cells change their size or the window its width. */
export class ResizeAnchor {
  #before: { shape: Shape; height: number } | null = null;
  #anchor: ScrollAnchor | null = null;
  #own = -1;

  /** Returns the new scroll position for a changed shape; null if nothing would move. */
  follow(shape: Shape, height: number, scrollTop: number, focus: number): number | null {
    const before = this.#before;
    this.#before = { shape, height };
    if (before === null || isUnchanged(shape, before.shape)) return null;
    if (shape.columns === before.shape.columns && shape.rowHeight === before.shape.rowHeight) {
      // Entries were added or removed, which the grid handles elsewhere.
      this.#anchor = null;
      return null;
    }
    // Narrowing and widening a window returns to the same position: the recorded top counts until the user scrolls.
    if (this.#anchor === null || scrollTop !== this.#own) this.#anchor = anchorAt(before.shape, scrollTop, before.height);
    const to = scrollTopOfAnchor(shape, this.#anchor, height);
    return isFullyVisible(before.shape, focus, scrollTop, before.height) ? scrollToShowCell(shape, focus, to, height) : to;
  }

  /** Records the actual scroll position: the end may be nearer, and engines round. */
  record(scrollTop: number): void {
    this.#own = scrollTop;
  }
}

function isUnchanged(shape: Shape, before: Shape): boolean {
  return shape.columns === before.columns && shape.rowHeight === before.rowHeight && shape.contentHeight === before.contentHeight;
}
