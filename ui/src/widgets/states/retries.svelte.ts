// The failed parts of the screen that can be retried. One key retries them all: the user wants the missing data,
// wherever it is.
import { SvelteSet } from "svelte/reactivity";

export const RETRY_KEY = "t";

class Retries {
  readonly #waiting = new SvelteSet<() => unknown>();

  /** True if anything has failed. */
  get any(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns a function that removes it. */
  add(again: () => unknown): () => void {
    this.#waiting.add(again);
    return () => void this.#waiting.delete(again);
  }

  run(): void {
    for (const again of [...this.#waiting]) again();
  }
}

export const retries = new Retries();
