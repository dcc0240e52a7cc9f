// The sort orders and groupings of a folder.
import type { PictureGrouping, SortKey } from "../../api/backend";
import type { Order } from "./listing-query";

/** True if a search is one of the pictures of an album, which have an order of their own. */
export function namesAlbum(query: string): boolean {
  return /(?:^|\s)album[:：]/iu.test(query);
}

export const SORTS: readonly SortKey[] = ["name", "taken", "modified", "size", "type", "rating", "camera", "pixels", "duration"];

/** Returns the order by the next property, in the same direction. */
export function nextSort(order: Order): Order {
  return { ...order, sort: SORTS[(SORTS.findIndex((sort) => sort === order.sort) + 1) % SORTS.length] ?? "name" };
}

/**
 * A grouping. Grouping by folder shows everything below the folder; it applies to one folder, and not to the next one.
 */
export type Grouping = PictureGrouping | "folder";
export const GROUPINGS: readonly Grouping[] = ["none", "day", "month", "year", "camera", "rating", "folder"];

export function nextGrouping(grouping: Grouping): Grouping {
  return GROUPINGS[(GROUPINGS.indexOf(grouping) + 1) % GROUPINGS.length] ?? "none";
}

/** Returns the order in the other direction. */
export function reversed(order: Order): Order {
  return { ...order, order: order.order === "asc" ? "desc" : "asc" };
}
