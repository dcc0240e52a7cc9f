// Which of a folder's entries are asked for, and in which order.
import type { FolderQuery, SortKey, SortOrder } from "../api/backend";

export interface Order {
  sort: SortKey;
  order: SortOrder;
}

type Choice = Pick<FolderQuery, "filter" | "rating" | "tag" | "caption" | "has_caption" | "type" | "taken_from" | "taken_to">;

export interface Asking extends Order, Choice {
  group?: FolderQuery["group"];
  /** Absent: folders and other files, too. */
  kind?: FolderQuery["kind"];
  /** Only the first ones, as a gallery shows them. Absent: all. */
  most?: number;
}

/** As the server is asked; how many of them are shown is the page's own affair. */
export function queryOf(asking: Asking): Omit<Asking, "most"> {
  const query = { ...asking };
  delete query.most;
  return query;
}

const NARROWING = ["rating", "tag", "caption", "has_caption", "type", "taken_from", "taken_to"] as const;

/** Whether more than their names decides which ones are let through: then they are pictures alone. */
export function isNarrowed(asking: Asking): boolean {
  return NARROWING.some((one) => asking[one]);
}

/** Whether not all of the folder is let through. */
export function isFiltered(asking: Asking): boolean {
  return Boolean(asking.filter) || asking.most !== undefined || isNarrowed(asking);
}

/** Whether what the pictures' headers and sidecars tell decides which ones come, or in which order. */
export function dependsOnHeaders({ sort, group, rating, tag, caption, has_caption, taken_from, taken_to }: Asking): boolean {
  // With that sort, days are those of the files' own changes.
  const isGrouped = Boolean(group) && group !== "folder" && sort !== "modified";
  return [sort === "taken", isGrouped, rating, tag, caption, has_caption, taken_from, taken_to].some(Boolean);
}

/** Whether all that lies beneath the folder is asked for. */
export function reachesBeneath({ group }: Asking): boolean {
  return group === "folder";
}

/** Whether the same ones are let through, in whatever order. */
export function isSameChoice(one: Asking, other: Asking): boolean {
  return (["filter", "kind", "most", ...NARROWING] as const).every((by) => (one[by] ?? "") === (other[by] ?? ""));
}
