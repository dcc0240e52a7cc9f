// The keys of a row in the tree of pages.

export const ADD_KEY = "Insert";
export const MOVE_KEY = "F2";

/** A place in the window, in pixels. */
export interface Point {
  x: number;
  y: number;
}
