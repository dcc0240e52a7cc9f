// The focus of the grid stays with its entry while the cells change around it.

export class EntryFocus {
  /** The cell that had the focus before the cells changed, and its place then. */
  #before: { cell: HTMLElement; index: number } | null = null;

  /** Before the cells change. */
  note(grid: HTMLElement | undefined): void {
    const cell = grid?.querySelector<HTMLElement>("[role=gridcell]:focus");
    this.#before = cell ? { cell, index: placeOf(cell) } : null;
  }

  /**
   * When they have changed: `onmove` is told where the entry is now. A cell whose entry arrives or is renamed is a new
   * element, and an element that is moved loses the focus: it is put back.
   */
  follow(grid: HTMLElement | undefined, here: number, onmove: (index: number) => void): void {
    const before = this.#before;
    this.#before = null;
    if (before === null) return;
    const index = placeOf(before.cell);
    const follows = before.cell.isConnected && index !== before.index && here === before.index;
    if (follows) onmove(index);
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return;
    grid?.querySelector<HTMLElement>(`[data-index="${follows ? index : here}"]`)?.focus({ preventScroll: true });
  }
}

function placeOf(cell: HTMLElement): number {
  return Number(cell.dataset["index"]);
}
