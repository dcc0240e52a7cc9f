// The memory of the view while the page lives: the position in each folder, for each of its orders.
import type { FilePlace } from "../../api/backend";
import type { Filter } from "../query/filter";
import { type ListingQuery, isFiltered } from "../query/listing-query";

type ListingPlace = FilePlace & { query: Pick<ListingQuery, "sort" | "order" | "group"> };

/** A scroll position that is valid for other columns and sizes. */
export interface ScrollAnchor {
  /** The first fully visible cell; if there is none, the first partly visible one. */
  index: number;
  /** The distance of its row's start above the edge of the view, in pixels; negative if it starts below. */
  above: number;
}

/** A position in a folder. */
export interface GridPosition {
  /** The cell that had the focus. */
  focus: number;
  /** The cell at the top; null if the grid was never scrolled. */
  top: ScrollAnchor | null;
  /** True if the grid was scrolled since the focus moved there. */
  hasScrolled: boolean;
}

const START: GridPosition = { focus: 0, top: null, hasScrolled: false };

class SessionMemory {
  /** True if the metadata is shown beside a picture. */
  isInfoShown = false;
  /** True if the filter bar is shown. */
  isFilterBarShown = false;
  /** True if the next picture keeps the zoom and position of the previous one. */
  isViewKept = false;
  /** True if a rating by key goes on to the next picture. */
  isRatingAdvancing = false;
  /** True if the filmstrip is shown below the picture in the viewer. */
  isFilmstripShown = false;
  /** The duration of a picture in a slideshow, in seconds. */
  slideSeconds = 5;
  /** The sound of videos. */
  sound = { muted: false, volume: 1 };
  /** The filters of albums, by their ids. */
  readonly albumFilters = new Map<string, Filter>();
  readonly #positions = new Map<string, GridPosition>();

  positionIn(place: ListingPlace): GridPosition {
    return (isRemembered(place) && this.#positions.get(key(place))) || START;
  }

  /** True if a visit starts at the first entry, as no other position is remembered. */
  beginsAtFirst(place: ListingPlace): boolean {
    const { focus, top } = this.positionIn(place);
    return focus === 0 && (top === null || (top.index === 0 && top.above <= 0));
  }

  saveFocus(place: ListingPlace, focus: number): void {
    this.#save(place, { focus, hasScrolled: false });
  }

  saveAnchor(place: ListingPlace, top: ScrollAnchor): void {
    this.#save(place, { top, hasScrolled: true });
  }

  #save(place: ListingPlace, is: Partial<GridPosition>): void {
    if (isRemembered(place)) this.#positions.set(key(place), { ...this.positionIn(place), ...is });
  }
}

/** False for filtered results, where each visit starts at the first entry. */
function isRemembered({ query }: ListingPlace): boolean {
  return !isFiltered(query);
}

function key({ root, path, query: { sort, order, group } }: ListingPlace): string {
  return `${root}/${path}?${sort}-${order}-${group ?? ""}`;
}

export const sessionMemory = new SessionMemory();
