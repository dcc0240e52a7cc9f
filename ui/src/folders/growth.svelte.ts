// A listing that begins before all names of its folder have been read.
import type { FolderListing } from "../api/backend";

export class Growth {
  /** Whether there are more names, which are still being read. */
  isGoingOn = $state(false);
  /** Of which it was told that they can be asked for again: that may overtake the answer that says so. */
  readonly #ended = new Set<string>();
  #isDoubted = false;
  /** Those who wait for its end. */
  readonly #waiting = new Set<() => void>();

  /** `may`: whether one would rather see some names soon than all of them at once. */
  constructor(readonly may: boolean) {}

  /** An answer has come; whether it is to be asked for again already. */
  take({ growing, listing }: FolderListing): boolean {
    this.isGoingOn = growing === true;
    if (this.isGoingOn) return this.#ended.has(listing);
    this.letGo();
    const wasDoubted = this.#isDoubted;
    this.#isDoubted = false;
    return wasDoubted;
  }

  /** A listing can be asked for again; whether it is the one that is shown. */
  hear(listing: string, shown: string | null): boolean {
    this.#ended.add(listing);
    return this.isGoingOn && listing === shown;
  }

  /** Something has happened in the folder, of which the names that are being read may not tell: once all are there, they are read once more. */
  doubt(): void {
    this.#isDoubted = this.isGoingOn;
  }

  /** Resolves when all names are there, or nobody waits for them any more. */
  over(signal: AbortSignal): Promise<void> {
    if (!this.isGoingOn || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      this.#waiting.add(end);
      signal.addEventListener("abort", end);
    });
  }

  /** Nobody need wait for its end any more. */
  letGo(): void {
    for (const end of [...this.#waiting]) end();
  }
}
