// A listing that starts before all names of its folder were read.
import type { FolderListing } from "../../api/backend";

export class ListingProgress {
  /** True if more names are still being read. */
  isPartial = $state(false);
  /** The listings that were reported as complete: the report may arrive before the answer that starts them. */
  readonly #ended = new Set<string>();
  #isStale = false;
  /** The callbacks that wait for the end. */
  readonly #waiting = new Set<() => void>();

  /** Creates the state. `mayBePartial` is true if some names soon are preferable to all of them at once. */
  constructor(readonly mayBePartial: boolean) {}

  /** Handles an answer. True if the listing has to be requested again at once. */
  update({ growing, listing }: FolderListing): boolean {
    this.isPartial = growing === true;
    if (this.isPartial) return this.#ended.has(listing);
    this.releaseWaiters();
    const wasStale = this.#isStale;
    this.#isStale = false;
    return wasStale;
  }

  /** Handles the end of a listing. True if it is the current one. */
  complete(listing: string, current: string | null): boolean {
    this.#ended.add(listing);
    return this.isPartial && listing === current;
  }

  /**
   * Records a change of the folder that the current reading may miss: it is read once more after all names have
   * arrived.
   */
  markStale(): void {
    this.#isStale = this.isPartial;
  }

  /** Resolves once all names have arrived, or the wait ends. */
  untilComplete(signal: AbortSignal): Promise<void> {
    if (!this.isPartial || signal.aborted) return Promise.resolve();
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
  releaseWaiters(): void {
    for (const end of [...this.#waiting]) end();
  }
}
