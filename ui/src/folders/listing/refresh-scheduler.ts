// The schedule for reading a folder again: one read after the other, so that each completes.
import { rest, untilSeen } from "./wait";

/** The maximum pause between reads of a folder that changes all the time, in milliseconds. */
const LONGEST_REST = 10_000;
/** The pause after a read that failed for a reason unrelated to the folder, in milliseconds. */
export const AGAIN_AFTER = 3_000;

export class Renewing {
  #going: Promise<void> | null = null;
  #again = false;
  #resting = new AbortController();

  /** Creates the schedule. `read` returns false if it has to be retried. */
  constructor(
    private readonly read: () => Promise<boolean>,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads once more, and again after each call meanwhile; resolves once all reads have ended. */
  again(): Promise<void> {
    this.#again = true;
    this.#going ??= this.#goOn().finally(() => (this.#going = null));
    return this.#going;
  }

  /** Ends the current pause. */
  hurry(): void {
    this.#resting.abort();
  }

  /** Runs the reads. With constant changes most of the time is a pause. Nothing is read for a hidden tab. */
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
