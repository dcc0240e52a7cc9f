// A listing that starts before all names of its folder were read.
import type { FolderListing } from "../../api/backend";

export class Growth {
  /** True if more names are still being read. */
  isGoingOn = $state(false);
  /** The listings that were reported as complete: the report may arrive before the answer that starts them. */
  readonly #ended = new Set<string>();
  #isDoubted = false;
  /** The callbacks that wait for the end. */
  readonly #waiting = new Set<() => void>();

  /** Creates the state. `may` is true if some names soon are preferable to all of them at once. */
  constructor(readonly may: boolean) {}

  /** Handles an answer. True if the listing has to be requested again at once. */
  take({ growing, listing }: FolderListing): boolean {
    this.isGoingOn = growing === true;
    if (this.isGoingOn) return this.#ended.has(listing);
    this.letGo();
    const wasDoubted = this.#isDoubted;
    this.#isDoubted = false;
    return wasDoubted;
  }

  /** Handles the end of a listing. True if it is the current one. */
  hear(listing: string, shown: string | null): boolean {
    this.#ended.add(listing);
    return this.isGoingOn && listing === shown;
  }

  /**
   * Records a change of the folder that the current reading may miss: it is read once more after all names have
   * arrived.
   */
  doubt(): void {
    this.#isDoubted = this.isGoingOn;
  }

  /** Resolves once all names have arrived, or the wait ends. */
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

  /** Ends all waits. */
  letGo(): void {
    for (const end of [...this.#waiting]) end();
  }
}
