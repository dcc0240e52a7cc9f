// What was done last and can be undone: offered by a toast for a moment, and by the palette for as long as the page is open.

export interface Undo {
  /** What was done, as the toast said it. */
  what: string;
  run: () => void | Promise<void>;
  /** Takes the toast back. */
  close: () => void;
}

const AT_MOST = 20;

export class Undos {
  #done = $state.raw<readonly Undo[]>([]);

  /** What would be undone next. */
  get last(): Undo | null {
    return this.#done.at(-1) ?? null;
  }

  add(undo: Undo): void {
    this.#done = [...this.#done, undo].slice(-AT_MOST);
  }

  /** Nothing came of it. */
  forget(undo: Undo): void {
    this.#done = this.#done.filter((other) => other !== undo);
  }

  /** Undoes it, once. What fails can be tried again. */
  async take(undo: Undo): Promise<void> {
    if (!this.#done.includes(undo)) return;
    this.#done = this.#done.filter((other) => other !== undo);
    undo.close();
    try {
      await undo.run();
    } catch (error) {
      this.add(undo);
      throw error;
    }
  }
}
