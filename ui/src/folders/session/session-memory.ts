// The memory of the view while the page lives: the position in each folder, for each of its orders.
import { type Asking, isFiltered } from "../query/listing-query";
import type { Top } from "../grid-layout/scroll-anchor";
import type { Listing } from "../listing/listing.svelte";

type Shown = Pick<Listing, "root" | "path"> & { asking: Pick<Asking, "sort" | "order" | "group"> };

/** A position in a folder. */
export interface Place {
  /** The cell that had the focus. */
  focus: number;
  /** The cell at the top; null if the grid was never scrolled. */
  top: Top | null;
  /** True if the grid was scrolled since the focus moved there. */
  hasScrolled: boolean;
}

const BEGINNING: Place = { focus: 0, top: null, hasScrolled: false };

class FolderMemory {
  /** True if the metadata is shown beside a picture. */
  isInfoShown = false;
  /** True if the filter bar is shown. */
  isFilterBarShown = false;
  /** True if the next picture keeps the zoom and position of the previous one. */
  isViewKept = false;
  /** True if the filmstrip is shown below the picture in the viewer. */
  isFilmstripShown = false;
  /** The duration of a picture in a slideshow, in seconds. */
  slideSeconds = 5;
  readonly #places = new Map<string, Place>();

  placeIn(shown: Shown): Place {
    return (isKept(shown) && this.#places.get(key(shown))) || BEGINNING;
  }

  /** True if a visit starts at the first entry, as no other position is remembered. */
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

/** False for filtered results, where each visit starts at the first entry. */
function isKept({ asking }: Shown): boolean {
  return !isFiltered(asking);
}

function key({ root, path, asking: { sort, order, group } }: Shown): string {
  return `${root}/${path}?${sort}-${order}-${group ?? ""}`;
}

export const memory = new FolderMemory();
