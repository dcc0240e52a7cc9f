// The listings that are still read and followed.
import type { Listing } from "./listing.svelte";

export class ActiveListings {
  #listings = new Set<Listing>();

  /** Keeps these listings, and disposes all others. */
  retain(...wanted: readonly Listing[]): void {
    const retained = new Set(wanted);
    for (const one of this.#listings) if (!retained.has(one)) one.dispose();
    this.#listings = retained;
  }
}
