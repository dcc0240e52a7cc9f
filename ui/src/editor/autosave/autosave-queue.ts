// Writes unsaved text to the server's autosave entry within a second of a change: one write at a time, the newest text
// wins, and the sequence numbers only increase.
import { ApiError, hasCode } from "../../api/errors";

export type AutosaveState =
  /** Nothing is unsaved, or all of it is in the autosave entry. */
  | { kind: "saved" }
  /** A change is about to be written. */
  | { kind: "pending" }
  /**
   * The last write failed, or has no answer yet; retries continue. Until a write has succeeded, further typing does not
   * change this state.
   */
  | { kind: "failed"; error: unknown };

const DELAY_MS = 600;
/** The time after which a missing answer is reported as such. */
const LATE_MS = 5_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const;

export interface AutosaveQueueOptions {
  /** Writes one text under one sequence number. */
  put: (text: string, seq: number) => Promise<void>;
  /** The tab has saved this revision, but the answer was lost. Later writes are based on it. */
  onSaved: (revision: number) => Promise<void>;
  onState: (state: AutosaveState) => void;
}

export class AutosaveQueue {
  readonly #options: AutosaveQueueOptions;
  #seq = 0;
  /** The pending text, read when its turn comes: a key press does not copy the whole page. */
  #waiting: (() => string) | null = null;
  /** The number of changes of the text, and of those that are in the autosave entry. */
  #changes = 0;
  #written = 0;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isLate = false;
  #held = false;

  constructor(options: AutosaveQueueOptions, firstSeq = 0) {
    this.#options = options;
    this.#seq = firstSeq;
  }

  /** Records a change. Further changes do not postpone the write. */
  change(text: () => string): void {
    this.#waiting = text;
    this.#changes += 1;
    if (this.#failures === 0 && !this.#isLate) this.#options.onState({ kind: "pending" });
    this.#plan(DELAY_MS);
  }

  /** Writes the pending text now; true if everything typed until now has been written. */
  async flush(): Promise<boolean> {
    const changes = this.#changes;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    if (this.#waiting !== null && !this.#held) await this.#run();
    return this.#written >= changes;
  }

  /** Called before a save: no write is pending and none begins until `resume`. */
  async hold(): Promise<void> {
    this.#held = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** Called after a failed save: the pending text is written. */
  resume(): void {
    this.#held = false;
    if (this.#waiting !== null) this.#plan(0);
  }

  /** Called after a save or a discard: nothing is pending and nothing will be written. */
  close(): void {
    this.#held = true;
    this.#waiting = null;
    clearTimeout(this.#timer);
  }

  #plan(delay: number): void {
    if (this.#held || this.#timer !== undefined || this.#running !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#run();
    }, delay);
  }

  #run(): Promise<void> {
    this.#running ??= this.#write().finally(() => {
      this.#running = null;
      if (this.#waiting !== null) this.#plan(this.#failures === 0 ? DELAY_MS : retryAfter(this.#failures));
    });
    return this.#running;
  }

  async #write(): Promise<void> {
    const text = this.#waiting;
    if (text === null) return;
    this.#waiting = null;
    const changes = this.#changes;
    const late = setTimeout(() => {
      this.#isLate = true;
      this.#options.onState({ kind: "failed", error: new ApiError("unreachable", 0, "no answer to what was typed") });
    }, LATE_MS);
    try {
      await this.#put(text());
      this.#failures = 0;
      this.#written = changes;
      // Text that was pending when the queue was closed has not been written.
      this.#options.onState({ kind: changes === this.#changes ? "saved" : "pending" });
    } catch (error) {
      this.#failures += 1;
      this.#waiting ??= text;
      this.#options.onState({ kind: "failed", error });
    } finally {
      clearTimeout(late);
      this.#isLate = false;
    }
  }

  /** Writes a text. A number may have been used before a reload: then the server reports the highest one. */
  async #put(text: string): Promise<void> {
    try {
      await this.#options.put(text, ++this.#seq);
    } catch (error) {
      if (!hasCode(error, "stale_sequence")) throw error;
      const { seq, revision } = error.details;
      this.#seq = Math.max(this.#seq, seq ?? 0);
      if (revision !== undefined) await this.#options.onSaved(revision);
      await this.#options.put(text, ++this.#seq);
    }
  }
}

function retryAfter(failures: number): number {
  return RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? DELAY_MS;
}
