// Where in a page one was, handed from reading to writing and back: the same words are at the upper edge of both.

/** A line of the page's source, as a fraction: 2.5 is the middle of the third. */
let handed: { path: string; line: number } | null = null;

/** For the room of this page that is entered next. */
export function handPlace(path: string, line: number): void {
  handed = { path, line };
}

/** Whether a place in this page waits to be taken. */
export function isPlaceHanded(path: string): boolean {
  return handed?.path === path;
}

/** Takes the place, once; null where none was handed on for this page. */
export function takePlace(path: string): number | null {
  const place = handed;
  handed = null;
  return place?.path === path ? place.line : null;
}
