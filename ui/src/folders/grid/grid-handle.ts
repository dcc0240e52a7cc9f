// The interface of the grid for the view.

export interface GridHandle {
  /** Focuses a cell, even outside the view; by default the one that had the focus. */
  focus(index?: number): Promise<void>;
  /** Opens the field for typing the start of a name. */
  goTo(): void;
}
