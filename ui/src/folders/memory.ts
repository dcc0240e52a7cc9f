// What the room remembers while the page lives: where one was in each folder, in each of its orders.
import type { EncodedPath } from "../api/names";
import type { Asking } from "./asking";

type Shown = Pick<Asking, "sort" | "order" | "group">;

class FolderMemory {
  /** Whether what is known of a picture is shown beside it. */
  isInfoShown = false;
  /** Whether it is shown by what else a folder can be filtered. */
  isFilterBarShown = false;
  /** Whether the next picture is looked at as the one before. */
  isViewKept = false;
  /** Whether the pictures around it are shown below a large one. */
  isFilmstripShown = false;
  /** How long a picture stays in a slideshow. */
  slideSeconds = 5;
  readonly #places = new Map<string, number>();

  placeIn(root: string, path: EncodedPath, order: Shown): number {
    return this.#places.get(key(root, path, order)) ?? 0;
  }

  keepPlace(root: string, path: EncodedPath, order: Shown, index: number): void {
    this.#places.set(key(root, path, order), index);
  }
}

function key(root: string, path: EncodedPath, { sort, order, group }: Shown): string {
  return `${root}/${path}?${sort}-${order}-${group ?? ""}`;
}

export const memory = new FolderMemory();
