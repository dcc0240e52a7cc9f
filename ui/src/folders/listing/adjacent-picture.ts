// The pictures next to another one.
import type { Listing } from "./listing.svelte";

/**
 * Returns the nearest picture before (-1) or after (1) an index, which may be halfway between two; null if there is
 * none.
 */
export async function adjacentPicture(listing: Listing, index: number, step: 1 | -1): Promise<number | null> {
  for (let at = step === 1 ? Math.floor(index) + 1 : Math.ceil(index) - 1; at >= 0 && at < listing.total; at += step) {
    if (!listing.at(at)) await listing.load(at);
    if (listing.at(at)?.kind === "picture") return at;
  }
  return null;
}
