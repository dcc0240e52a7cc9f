// The picture that is shown large on its way into the bin, and to which one goes from there.
import type { FolderEntry } from "../api/backend";
import { encodeName, type EncodedPath } from "../api/names";
import type { Listing } from "./listing.svelte";
import type { Seen } from "./looking.svelte";
import { neighbour } from "./neighbours";

export class BinningLarge {
  /** What has gone since one looks at pictures, which the listing may still have. */
  readonly #binned = new Set<EncodedPath>();

  /** Whether one looks at any picture. */
  looks(isLarge: boolean): void {
    if (!isLarge) this.#binned.clear();
  }

  /** Does it by `bin`; where that has worked, one goes on to the next one, where there is none to the one before, and then to none. */
  async bin(listing: Listing, { entry, index }: Seen, bin: () => Promise<boolean>, goOn: (to: FolderEntry | null) => Promise<void>): Promise<void> {
    const name = encodeName(entry);
    const isNew = !this.#binned.has(name);
    this.#binned.add(name);
    const next = (await nextNotBinned(listing, index, 1, this.#binned)) ?? (await nextNotBinned(listing, index, -1, this.#binned));
    if (await bin()) await goOn(next);
    else if (isNew) this.#binned.delete(name);
  }
}

/** The nearest picture in this direction that is not on its way into the bin; null where there is none. */
async function nextNotBinned(listing: Listing, from: number, step: 1 | -1, binned: ReadonlySet<EncodedPath>): Promise<FolderEntry | null> {
  for (let at = await neighbour(listing, from, step); at !== null; at = await neighbour(listing, at, step)) {
    const entry = listing.at(at);
    if (entry && !binned.has(encodeName(entry))) return entry;
  }
  return null;
}
