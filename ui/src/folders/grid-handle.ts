// What the grid lets the room do with it.

export interface GridHandle {
  /** Puts the focus on a cell, wherever it is; on the one where it was when none is named. */
  focus(index?: number): Promise<void>;
  /** Has one type how the name begins to which one wants to go. */
  goTo(): void;
}
