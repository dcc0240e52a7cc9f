// The query for a folder's entries: their choice and their order.
import type { FolderQuery, SortKey, SortOrder } from "../../api/backend";

export interface Order {
  sort: SortKey;
  order: SortOrder;
}

type Choice = Pick<FolderQuery, "filter" | "rating" | "tag" | "caption" | "has_caption" | "type" | "taken_from" | "taken_to">;

export interface Asking extends Order, Choice {
  group?: FolderQuery["group"];
  /** Absent for folders and other files, too. */
  kind?: FolderQuery["kind"];
  /** The number of entries, limited as in a gallery. Absent for all. */
  most?: number;
}

/** Converts to the query for the server. The number of shown entries is only applied in the client. */
export function queryOf(asking: Asking): Omit<Asking, "most"> {
  const query = { ...asking };
  delete query.most;
  return query;
}

const NARROWING = ["rating", "tag", "caption", "has_caption", "type", "taken_from", "taken_to"] as const;

/** True if the choice depends on more than names. It then only contains pictures. */
export function isNarrowed(asking: Asking): boolean {
  return NARROWING.some((one) => asking[one]);
}

/** True if the query does not select the whole folder. */
export function isFiltered(asking: Asking): boolean {
  return Boolean(asking.filter) || asking.most !== undefined || isNarrowed(asking);
}

/** True if the choice or the order depends on the pictures' headers and sidecars. */
export function dependsOnHeaders({ sort, group, rating, tag, caption, has_caption, taken_from, taken_to }: Asking): boolean {
  // With that sort order, groups by day use the modification times of the files.
  const isGrouped = Boolean(group) && group !== "folder" && sort !== "modified";
  return [sort === "taken", isGrouped, rating, tag, caption, has_caption, taken_from, taken_to].some(Boolean);
}

/** True if the query includes everything below the folder. */
export function reachesBeneath({ group }: Asking): boolean {
  return group === "folder";
}

/** True if both queries select the same entries, in any order. */
export function isSameChoice(one: Asking, other: Asking): boolean {
  return (["filter", "kind", "most", ...NARROWING] as const).every((by) => (one[by] ?? "") === (other[by] ?? ""));
}
