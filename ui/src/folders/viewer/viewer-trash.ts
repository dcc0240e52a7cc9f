// The move of the viewer's picture to the trash, and the choice of the next picture.
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import type { Listing } from "../listing/listing.svelte";
import type { CursorPosition } from "./picture-cursor.svelte";
import { adjacentPicture } from "../listing/adjacent-picture";

export class ViewerTrash {
  /** The pictures that were removed since the viewer opened, which the listing may still contain. */
  readonly #removed = new Set<EncodedPath>();

  /** Forgets the removed pictures. Called once the viewer is closed. */
  reset(): void {
    this.#removed.clear();
  }

  /**
   * Removes the picture by `bin`. If that succeeds, moves on to the next picture, otherwise to the previous one,
   * otherwise to none.
   */
  async moveToTrash(listing: Listing, { entry, index }: CursorPosition, bin: () => Promise<boolean>, goOn: (to: FolderEntry | null) => Promise<void>): Promise<void> {
    const name = encodeName(entry);
    const isNew = !this.#removed.has(name);
    this.#removed.add(name);
    const next = (await nextRemaining(listing, index, 1, this.#removed)) ?? (await nextRemaining(listing, index, -1, this.#removed));
    if (await bin()) await goOn(next);
    else if (isNew) this.#removed.delete(name);
  }
}

/** Returns the nearest picture in this direction that is not being moved to the trash; null if there is none. */
async function nextRemaining(listing: Listing, from: number, step: 1 | -1, removed: ReadonlySet<EncodedPath>): Promise<FolderEntry | null> {
  for (let at = await adjacentPicture(listing, from, step); at !== null; at = await adjacentPicture(listing, at, step)) {
    const entry = listing.at(at);
    if (entry && !removed.has(encodeName(entry))) return entry;
  }
  return null;
}
