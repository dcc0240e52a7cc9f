// Which heading one is reading under: the last that has passed a line a little below the upper edge.

/** How far below the edge a heading counts as reached. */
const REACH = 96;

/**
 * The index of that heading among `count`, from their distances to the upper edge, which grow from one to the next;
 * the first before any is reached, -1 if there are none.
 */
export function currentHeading(count: number, topOf: (index: number) => number, atEnd: boolean): number {
  // At the very end the last headings can't reach the edge any more.
  if (atEnd || count === 0) return count - 1;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (topOf(middle) <= REACH) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
