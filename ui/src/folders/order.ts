// The orders in which a folder can be shown, and the keys that go through them.
import type { PictureGrouping, SortKey } from "../api/backend";
import type { Order } from "./asking";

export const SORTS: readonly SortKey[] = ["name", "taken", "modified", "size", "type"];
export const SORT_KEY = "s";
export const ORDER_KEY = "Shift+s";
export const FILTER_KEY = "/";
/** Shows what else can be filtered by. */
export const FILTER_BAR_KEY = "Shift+f";
export const UNFILTER_KEY = "u";

/** By the next of the qualities, in the same direction. */
export function nextSort(order: Order): Order {
  return { ...order, sort: SORTS[(SORTS.indexOf(order.sort) + 1) % SORTS.length] ?? "name" };
}

export const GROUP_KEY = "g";
export const OWN_FOLDER_KEY = "Shift+o";
/** By folders, all that lies beneath is shown: that is of one folder, and not how the next one is shown, too. */
export type Grouping = PictureGrouping | "folder";
export const GROUPINGS: readonly Grouping[] = ["none", "day", "month", "folder"];

export function nextGrouping(grouping: Grouping): Grouping {
  return GROUPINGS[(GROUPINGS.indexOf(grouping) + 1) % GROUPINGS.length] ?? "none";
}

/** The other way round. */
export function reversed(order: Order): Order {
  return { ...order, order: order.order === "asc" ? "desc" : "asc" };
}
