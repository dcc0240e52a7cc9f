// Virtual scrolling: only the rows in view and a few around them are in the document.

export interface RowWindow {
  /** The first row to draw. */
  first: number;
  /** The index after the last row. */
  end: number;
}

export interface RowWindowInput {
  scrollTop: number;
  /** Height of the view. */
  height: number;
  rowHeight: number;
  count: number;
  /** Rows drawn beyond each edge. */
  overscan: number;
}

export function rowWindow({ scrollTop, height, rowHeight, count, overscan }: RowWindowInput): RowWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight) - overscan;
  const end = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight) + overscan;
  return { first: Math.max(0, Math.min(first, count)), end: Math.max(0, Math.min(end, count)) };
}

/**
 * The rows to draw, in order: those of the window, and the focused one, which must stay wherever the list is scrolled.
 * It keeps its place in the order: an element that is moved in the document loses its focus.
 */
export function drawnRows({ first, end }: RowWindow, kept: number, count: number): number[] {
  const rows = Array.from({ length: end - first }, (_, offset) => first + offset);
  if (kept < 0 || kept >= count) return rows;
  if (kept < first) return [kept, ...rows];
  return kept >= end ? [...rows, kept] : rows;
}

/** The scroll position nearest to the present one that shows a row completely. */
export function scrollToShow(row: number, { scrollTop, height, rowHeight }: Omit<RowWindowInput, "count" | "overscan">): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height;
  return scrollTop;
}
