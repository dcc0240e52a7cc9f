// The recent actions that can be undone, or done again: offered by a toast for a moment, and by the palette as long as
// the page is open.

export interface Undo {
  /** A description of the action, as in the toast. */
  what: string;
  run: () => void | Promise<void>;
  /** Removes the toast. */
  close: () => void;
}

const MAX_UNDOS = 20;

export class Undos {
  #done = $state.raw<readonly Undo[]>([]);
  #running = 0;

  /** True while an action is being undone. */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** The next action to be undone. */
  get last(): Undo | null {
    return this.#done.at(-1) ?? null;
  }

  add(undo: Undo): void {
    this.#done = [...this.#done, undo].slice(-MAX_UNDOS);
  }

  clear(): void {
    this.#done = [];
  }

  /** Removes an action that had no effect. */
  forget(undo: Undo): void {
    this.#done = this.#done.filter((other) => other !== undo);
  }

  /** Undoes an action, once. A failed undo can be retried. */
  async take(undo: Undo): Promise<void> {
    if (!this.#done.includes(undo)) return;
    this.#done = this.#done.filter((other) => other !== undo);
    undo.close();
    this.#running += 1;
    try {
      await undo.run();
    } catch (error) {
      this.add(undo);
      throw error;
    } finally {
      this.#running -= 1;
    }
  }
}
