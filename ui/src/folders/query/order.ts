// The sort orders and groupings of a folder, and the keys that cycle through them.
import type { PictureGrouping, SortKey } from "../../api/backend";
import type { Order } from "./listing-query";

export const SORTS: readonly SortKey[] = ["name", "taken", "modified", "size", "type"];
export const SORT_KEY = "s";
export const ORDER_KEY = "Shift+s";
export const FILTER_KEY = "/";
/** Shows the filter bar. */
export const FILTER_BAR_KEY = "Shift+f";
export const UNFILTER_KEY = "u";

/** Returns the order by the next property, in the same direction. */
export function nextSort(order: Order): Order {
  return { ...order, sort: SORTS[(SORTS.indexOf(order.sort) + 1) % SORTS.length] ?? "name" };
}

export const GROUP_KEY = "g";
export const OWN_FOLDER_KEY = "Shift+o";
/**
 * A grouping. Grouping by folder shows everything below the folder; it applies to one folder, and not to the next one.
 */
export type Grouping = PictureGrouping | "folder";
export const GROUPINGS: readonly Grouping[] = ["none", "day", "month", "folder"];

export function nextGrouping(grouping: Grouping): Grouping {
  return GROUPINGS[(GROUPINGS.indexOf(grouping) + 1) % GROUPINGS.length] ?? "none";
}

/** Returns the order in the other direction. */
export function reversed(order: Order): Order {
  return { ...order, order: order.order === "asc" ? "desc" : "asc" };
}
