// What has failed on the screen and can be tried again. One key tries all of it: whoever presses it wants what is
// missing, wherever that is.
import { SvelteSet } from "svelte/reactivity";

export const RETRY_KEY = "t";

class Retries {
  readonly #waiting = new SvelteSet<() => unknown>();

  /** Whether anything has failed. */
  get any(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns how to take it back. */
  add(again: () => unknown): () => void {
    this.#waiting.add(again);
    return () => void this.#waiting.delete(again);
  }

  run(): void {
    for (const again of [...this.#waiting]) again();
  }
}

export const retries = new Retries();
