// Brings unsaved text to the server's journal within a second of a change: one write at a time, the newest text wins,
// and the numbers of the writes only rise.
import { ApiError, hasCode } from "../api/errors";

export type JournalState =
  /** Nothing is unsaved, or all of it is in the journal. */
  | { kind: "kept" }
  /** A change is on its way. */
  | { kind: "pending" }
  /** The last write failed, or has no answer yet; it goes on. Until a write has come through, nothing that is typed changes that. */
  | { kind: "failed"; error: unknown };

const DELAY_MS = 600;
/** Whoever has not answered by then is told of as one who does not answer. */
const LATE_MS = 5_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const;

export interface JournalQueueOptions {
  /** Writes one text under one number. */
  put: (text: string, seq: number) => Promise<void>;
  /** The tab has saved this revision: the answer was lost. What is written from now on is based on it. */
  onSaved: (revision: number) => Promise<void>;
  onState: (state: JournalState) => void;
}

export class JournalQueue {
  readonly #options: JournalQueueOptions;
  #seq = 0;
  /** The text that waits, read when its turn comes: nobody copies a whole page at every key. */
  #waiting: (() => string) | null = null;
  /** How often the text has changed, and how many of these changes are in the journal. */
  #changes = 0;
  #written = 0;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isLate = false;
  #held = false;

  constructor(options: JournalQueueOptions, firstSeq = 0) {
    this.#options = options;
    this.#seq = firstSeq;
  }

  /** The text has changed. Further changes don't put the write off. */
  change(text: () => string): void {
    this.#waiting = text;
    this.#changes += 1;
    if (this.#failures === 0 && !this.#isLate) this.#options.onState({ kind: "pending" });
    this.#plan(DELAY_MS);
  }

  /** Writes what is waiting now; whether all that was typed until now has been written. */
  async flush(): Promise<boolean> {
    const changes = this.#changes;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    if (this.#waiting !== null && !this.#held) await this.#run();
    return this.#written >= changes;
  }

  /** Before a save: no write is under way and none begins until `resume`. */
  async hold(): Promise<void> {
    this.#held = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** After a save that failed: what waits is written. */
  resume(): void {
    this.#held = false;
    if (this.#waiting !== null) this.#plan(0);
  }

  /** After a save or a discard: nothing is waiting and nothing will be written. */
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
      // What was waiting when the queue was closed has not come anywhere.
      this.#options.onState({ kind: changes === this.#changes ? "kept" : "pending" });
    } catch (error) {
      this.#failures += 1;
      this.#waiting ??= text;
      this.#options.onState({ kind: "failed", error });
    } finally {
      clearTimeout(late);
      this.#isLate = false;
    }
  }

  /** A number may have been used before a reload: then the server says how far they have risen. */
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
