// Which pictures stand beside another one, and where one goes from a picture that goes.
import type { FolderEntry } from "../api/backend";
import { encodeName, type EncodedPath } from "../api/names";
import type { Listing } from "./listing.svelte";

/** The nearest picture before (-1) or after (1) a place, or what lies halfway between two; null if there is none. */
export async function neighbour(listing: Listing, index: number, step: 1 | -1): Promise<number | null> {
  for (let at = step === 1 ? Math.floor(index) + 1 : Math.ceil(index) - 1; at >= 0 && at < listing.total; at += step) {
    if (!listing.at(at)) await listing.reach(at);
    if (listing.at(at)?.kind === "picture") return at;
  }
  return null;
}

/** The nearest picture in this direction that is not on its way into the bin; null where there is none. */
export async function stillThere(listing: Listing, from: number, step: 1 | -1, binned: ReadonlySet<EncodedPath>): Promise<FolderEntry | null> {
  for (let at = await neighbour(listing, from, step); at !== null; at = await neighbour(listing, at, step)) {
    const entry = listing.at(at);
    if (entry && !binned.has(encodeName(entry))) return entry;
  }
  return null;
}
