// The schedule for reading a folder again: one read after the other, so that each completes.
import { delay, untilVisible } from "./wait";

/** The maximum pause between reads of a folder that changes all the time, in milliseconds. */
const MAX_PAUSE = 10_000;
/** The pause after a read that failed for a reason unrelated to the folder, in milliseconds. */
export const RETRY_DELAY = 3_000;

export class RefreshScheduler {
  #running: Promise<void> | null = null;
  #isRequested = false;
  #pause = new AbortController();

  /** Creates the schedule. `read` returns false if it has to be retried. */
  constructor(
    private readonly read: () => Promise<boolean>,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads once more, and again after each call meanwhile; resolves once all reads have ended. */
  request(): Promise<void> {
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Ends the current pause. */
  skipPause(): void {
    this.#pause.abort();
  }

  /** Runs the reads. With constant changes most of the time is a pause. Nothing is read for a hidden tab. */
  async #run(): Promise<void> {
    const { signal } = this;
    while (this.#isRequested && !signal.aborted) {
      await untilVisible(signal);
      this.#isRequested = false;
      const start = performance.now();
      this.#pause = new AbortController();
      const isRead = await this.read();
      if (!isRead) this.#isRequested = true;
      if (!this.#isRequested) continue;
      const time = isRead ? Math.min(MAX_PAUSE, 3 * (performance.now() - start)) : RETRY_DELAY;
      await delay(time, AbortSignal.any([signal, this.#pause.signal]));
    }
  }
}
