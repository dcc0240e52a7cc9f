// Keeps the focus of the grid on its entry while the cells change around it.

export class EntryFocus {
  /** The cell that had the focus before the cells changed, and its index then. */
  #before: { cell: HTMLElement; index: number } | null = null;

  /** Records the focus before the cells change. */
  note(grid: HTMLElement | undefined): void {
    const cell = grid?.querySelector<HTMLElement>("[role=gridcell]:focus");
    this.#before = cell ? { cell, index: placeOf(cell) } : null;
  }

  /**
   * Restores the focus after the cells have changed. `onmove` receives the entry's new index. A cell whose entry
   * arrives or is renamed is a new element, and an element that is moved loses the focus.
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
