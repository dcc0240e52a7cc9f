// Where one goes from a picture that goes: to the next one that is not on its way into the bin, too.
import type { FolderEntry } from "../api/backend";
import { encodeName, type EncodedPath } from "../api/names";
import type { Listing } from "./listing.svelte";

/** The nearest entry in this direction that one could look at; null where there is none. */
export async function stillThere(listing: Listing, from: number, step: 1 | -1, binned: ReadonlySet<EncodedPath>): Promise<FolderEntry | null> {
  for (let at = await listing.neighbour(from, step); at !== null; at = await listing.neighbour(at, step)) {
    const entry = listing.at(at);
    if (entry && !binned.has(encodeName(entry))) return entry;
  }
  return null;
}
