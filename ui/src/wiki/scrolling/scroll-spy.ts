// The current heading: the last one above a line a little below the upper edge.

/** The distance below the edge at which a heading counts as reached. */
const REACH = 96;

/**
 * The index of that heading among `count`, from their distances to the upper edge, which increase; the first before any
 * is reached, -1 if there are none.
 */
export function currentHeading(count: number, topOf: (index: number) => number, atEnd: boolean): number {
  // At the very end, the last headings cannot reach the edge any more.
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
