// Which heading one is reading under: the last that has passed a line a little below the upper edge.

/** How far below the edge a heading counts as reached. */
const REACH = 96;

/** The index of that heading, from the headings' distances to the upper edge; the first before any is reached, -1 if there are none. */
export function currentHeading(tops: readonly number[], atEnd: boolean): number {
  if (tops.length === 0) return -1;
  // At the very end the last headings can't reach the edge any more.
  if (atEnd) return tops.length - 1;
  return Math.max(0, tops.findLastIndex((top) => top <= REACH));
}
