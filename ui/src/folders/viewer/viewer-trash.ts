// The move of the viewer's picture to the trash, and the choice of the next picture.
import { viewableFiles } from "../entries/companions";
import { folderId, placeOfEntry } from "../entries/folder-place";
import type { PictureSequence, SequencePicture } from "./picture-sequence";

export class ViewerTrash {
  /** The ids of the pictures that were removed since the viewer opened, which the sequence may still contain. */
  readonly #removed = new Set<string>();

  /** Forgets the removed pictures. Called once the viewer is closed. */
  reset(): void {
    this.#removed.clear();
  }

  /**
   * Removes the picture by `bin`. If that succeeds, moves on to the next picture, otherwise to the previous one,
   * otherwise to none. `index` is that of the picture in the sequence; null if it is not in it.
   */
  async moveToTrash(pictures: PictureSequence, picture: SequencePicture, index: number | null, bin: () => Promise<boolean>, goOn: (to: SequencePicture | null) => Promise<void>): Promise<void> {
    // All files of the picture may be moved, and be among those that follow.
    const ids = viewableFiles(picture.entry).map((entry) => idOf({ ...picture, entry }));
    const added = ids.filter((id) => !this.#removed.has(id));
    for (const id of added) this.#removed.add(id);
    const next = index === null ? null : ((await this.#nextRemaining(pictures, index, 1)) ?? (await this.#nextRemaining(pictures, index, -1)));
    if (await bin()) await goOn(next);
    else for (const id of added) this.#removed.delete(id);
  }

  /** Returns the nearest picture in this direction that is not being moved to the trash; null if there is none. */
  async #nextRemaining(pictures: PictureSequence, from: number, step: 1 | -1): Promise<SequencePicture | null> {
    for (let at = await pictures.adjacent(from, step); at !== null; at = await pictures.adjacent(at, step)) {
      const picture = pictures.at(at);
      if (picture && !this.#removed.has(idOf(picture))) return picture;
    }
    return null;
  }
}

function idOf({ folder, entry }: SequencePicture): string {
  return folderId(placeOfEntry(folder, entry));
}
