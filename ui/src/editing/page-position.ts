// The position in a page, passed between the reading view and the editor: the same words are at the upper edge of both.

/** A line of the page's source, as a fraction: 2.5 is the middle of the third. */
let handed: { path: string; line: number } | null = null;

/** Passes a position to the next view of this page. */
export function passPosition(path: string, line: number): void {
  handed = { path, line };
}

/** True if there is a position for this page. */
export function isPositionPassed(path: string): boolean {
  return handed?.path === path;
}

/** Takes the position, once; null if there is none for this page. */
export function takePosition(path: string): number | null {
  const place = handed;
  handed = null;
  return place?.path === path ? place.line : null;
}
