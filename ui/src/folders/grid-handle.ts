// What the grid lets the room do with it.

export interface GridHandle {
  /** Puts the focus on a cell, wherever it is; on the one where it was when none is named. */
  focus(index?: number): Promise<void>;
}
