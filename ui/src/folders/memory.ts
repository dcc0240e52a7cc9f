// What the room remembers while the page lives: where one was in each folder, in each of its orders.
import { type Asking, isFiltered } from "./asking";
import type { Top } from "./grid-place";
import type { Listing } from "./listing.svelte";

type Shown = Pick<Listing, "root" | "path"> & { asking: Pick<Asking, "sort" | "order" | "group"> };

/** Where one was. */
export interface Place {
  /** The cell that had the focus. */
  focus: number;
  /** What stood at the top; null where one never scrolled. */
  top: Top | null;
  /** Whether one has scrolled since the focus came there. */
  hasScrolled: boolean;
}

const BEGINNING: Place = { focus: 0, top: null, hasScrolled: false };

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
  readonly #places = new Map<string, Place>();

  placeIn(shown: Shown): Place {
    return (isKept(shown) && this.#places.get(key(shown))) || BEGINNING;
  }

  /** Whether one begins at the first, as one was nowhere else last. */
  beginsAtFirst(shown: Shown): boolean {
    const { focus, top } = this.placeIn(shown);
    return focus === 0 && (top === null || (top.index === 0 && top.above <= 0));
  }

  keepFocus(shown: Shown, focus: number): void {
    this.#keep(shown, { focus, hasScrolled: false });
  }

  keepTop(shown: Shown, top: Top): void {
    this.#keep(shown, { top, hasScrolled: true });
  }

  #keep(shown: Shown, is: Partial<Place>): void {
    if (isKept(shown)) this.#places.set(key(shown), { ...this.placeIn(shown), ...is });
  }
}

/** Among those that were found one begins at the first each time. */
function isKept({ asking }: Shown): boolean {
  return !isFiltered(asking);
}

function key({ root, path, asking: { sort, order, group } }: Shown): string {
  return `${root}/${path}?${sort}-${order}-${group ?? ""}`;
}

export const memory = new FolderMemory();
