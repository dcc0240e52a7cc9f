// The listings that are still read and followed.
import type { Listing } from "./listing.svelte";

export class AtWork {
  #listings = new Set<Listing>();

  /** Keeps these listings, and disposes all others. */
  keep(...wanted: readonly Listing[]): void {
    const kept = new Set(wanted);
    for (const one of this.#listings) if (!kept.has(one)) one.dispose();
    this.#listings = kept;
  }
}
