// How an address tells that a picture is one of a gallery in a page: the gallery's order and limit, and the way back.
import type { SortKey, SortOrder } from "./backend";

export interface GalleryPlace {
  /** The address of the page that shows it. */
  page: string;
  sort: SortKey;
  order: SortOrder;
  /** How many pictures it shows at most. */
  limit: number;
}

const SORTS: readonly SortKey[] = ["name", "taken", "modified", "size", "type"];
const PAGES = /^\/(?:(?:wiki|edit)\/|$)/;

/** For an address, without a question mark. */
export function galleryQuery({ page, sort, order, limit }: GalleryPlace): string {
  return new URLSearchParams({ gallery: page, sort, order, limit: `${limit}` }).toString();
}

/** As an address tells it; null for a picture that is shown in its folder. */
export function galleryFrom(query: URLSearchParams): GalleryPlace | null {
  const page = query.get("gallery");
  const limit = Number(query.get("limit"));
  if (page === null || !PAGES.test(page) || !Number.isInteger(limit) || limit < 1) return null;
  const sort = SORTS.find((one) => one === query.get("sort")) ?? "name";
  return { page, sort, order: query.get("order") === "desc" ? "desc" : "asc", limit };
}
