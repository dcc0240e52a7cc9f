// When a folder is read again: one reading after the other, so that each of them comes to its end.
import { rest, untilSeen } from "./waiting";

/** Where a folder changes all the time, it is read again after this at the latest, in milliseconds. */
const LONGEST_REST = 10_000;
/** How long after a reading that failed for another reason than the folder's it is tried again, in milliseconds. */
export const AGAIN_AFTER = 3_000;

export class Renewing {
  #going: Promise<void> | null = null;
  #again = false;
  #resting = new AbortController();

  /** `read` says whether it need not be tried again. */
  constructor(
    private readonly read: () => Promise<boolean>,
    private readonly signal: AbortSignal,
  ) {}

  /** Has it read once more, as often as this is called for meanwhile; resolves when all of that is done. */
  again(): Promise<void> {
    this.#again = true;
    this.#going ??= this.#goOn().finally(() => (this.#going = null));
    return this.#going;
  }

  /** Whoever waits for it is not to wait for a rest. */
  hurry(): void {
    this.#resting.abort();
  }

  /** Where something happens all the time, most of the time is rested; and nobody reads for a tab that nobody sees. */
  async #goOn(): Promise<void> {
    const { signal } = this;
    while (this.#again && !signal.aborted) {
      await untilSeen(signal);
      this.#again = false;
      const began = performance.now();
      this.#resting = new AbortController();
      const isRead = await this.read();
      if (!isRead) this.#again = true;
      if (!this.#again) continue;
      const time = isRead ? Math.min(LONGEST_REST, 3 * (performance.now() - began)) : AGAIN_AFTER;
      await rest(time, AbortSignal.any([signal, this.#resting.signal]));
    }
  }
}
