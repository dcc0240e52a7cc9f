// The move of the viewer's picture to the trash, and the choice of the next picture.
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import type { Listing } from "../listing/listing.svelte";
import type { Seen } from "./picture-cursor.svelte";
import { neighbour } from "../listing/adjacent-picture";

export class BinningLarge {
  /** The pictures that were removed since the viewer opened, which the listing may still contain. */
  readonly #binned = new Set<EncodedPath>();

  /** Resets the removed pictures once the viewer is closed. */
  looks(isLarge: boolean): void {
    if (!isLarge) this.#binned.clear();
  }

  /**
   * Removes the picture by `bin`. If that succeeds, goes on to the next picture, otherwise to the previous one,
   * otherwise to none.
   */
  async bin(listing: Listing, { entry, index }: Seen, bin: () => Promise<boolean>, goOn: (to: FolderEntry | null) => Promise<void>): Promise<void> {
    const name = encodeName(entry);
    const isNew = !this.#binned.has(name);
    this.#binned.add(name);
    const next = (await nextNotBinned(listing, index, 1, this.#binned)) ?? (await nextNotBinned(listing, index, -1, this.#binned));
    if (await bin()) await goOn(next);
    else if (isNew) this.#binned.delete(name);
  }
}

/** Returns the nearest picture in this direction that is not being moved to the trash; null if there is none. */
async function nextNotBinned(listing: Listing, from: number, step: 1 | -1, binned: ReadonlySet<EncodedPath>): Promise<FolderEntry | null> {
  for (let at = await neighbour(listing, from, step); at !== null; at = await neighbour(listing, at, step)) {
    const entry = listing.at(at);
    if (entry && !binned.has(encodeName(entry))) return entry;
  }
  return null;
}
