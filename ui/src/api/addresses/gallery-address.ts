// The part of a picture's address that names a gallery in a page: the gallery's order and limit, and the way back.
import type { SortKey, SortOrder } from "../backend";

export interface GalleryPlace {
  /** The address of the page that contains the gallery. */
  page: string;
  sort: SortKey;
  order: SortOrder;
  /** The greatest number of pictures shown. */
  limit: number;
}

const SORTS: readonly SortKey[] = ["name", "taken", "modified", "size", "type"];
const PAGES = /^\/(?:(?:wiki|edit)\/|$)/;

/** Formats the query of an address, without a question mark. */
export function galleryQuery({ page, sort, order, limit }: GalleryPlace): string {
  return new URLSearchParams({ gallery: page, sort, order, limit: `${limit}` }).toString();
}

/** Parses the query of an address; null for a picture that is shown in its folder. */
export function galleryFrom(query: URLSearchParams): GalleryPlace | null {
  const page = query.get("gallery");
  const limit = Number(query.get("limit"));
  if (page === null || !PAGES.test(page) || !Number.isInteger(limit) || limit < 1) return null;
  const sort = SORTS.find((one) => one === query.get("sort")) ?? "name";
  return { page, sort, order: query.get("order") === "desc" ? "desc" : "asc", limit };
}
