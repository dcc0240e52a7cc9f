// A picture that was opened from a gallery in a page: its query, and the way back.
import type { GalleryPlace } from "../../api/addresses/gallery-address";
import type { Host } from "../../api/host";
import type { ListingQuery, Order } from "./listing-query";
import { filterToQuery, type Filter } from "./filter";
import { filteredSearch } from "./filtered-search";
import type { Grouping } from "./order";

/** Returns the query for a folder. A gallery has its own choice and order. */
export function folderQuery(order: Order, group: Grouping, filter: Filter, gallery: GalleryPlace | null, isJoined: boolean, search: string | null): ListingQuery {
  const joined = isJoined ? { joined: true } : {};
  // In the box of a smart album, as in any other.
  if (search !== null && gallery) return { ...joined, sort: gallery.sort, order: gallery.order, kind: "picture", search, most: gallery.limit };
  if (search !== null) return { ...joined, sort: order.sort, order: order.order, ...(group === "none" ? {} : { group }), kind: "picture", search: filteredSearch(search, filter) };
  if (gallery) return { ...joined, sort: gallery.sort, order: gallery.order, ...filterToQuery(filter), kind: "picture", most: gallery.limit };
  return { ...joined, sort: order.sort, order: order.order, ...(group === "none" ? {} : { group }), ...filterToQuery(filter) };
}

/**
 * Returns to the page, or to the search results, at its previous position. If the picture was opened directly, there is
 * no history entry to go back to.
 */
export async function leaveGallery({ page }: Pick<GalleryPlace, "page">, host: Pick<Host, "navigate" | "goBack">): Promise<void> {
  if (!host.goBack()) await host.navigate(page, { replace: true });
}
