// The query for a folder's entries: their choice and their order.
import type { FolderQuery, SortKey, SortOrder } from "../../api/backend";

/** The order that is remembered for all folders. */
export interface SavedOrder {
  sort: SortKey;
  order: SortOrder;
}

export interface Order {
  /** "album" is the album's own order, for a search that names one. */
  sort: SortKey | "album";
  order: SortOrder;
}

type Conditions = Pick<FolderQuery, "filter" | "rating" | "tag" | "caption" | "has_caption" | "type" | "taken_from" | "taken_to">;

export interface ListingQuery extends Order, Conditions {
  group?: FolderQuery["group"];
  /** Absent for folders and other files, too. */
  kind?: FolderQuery["kind"];
  /** True if a picture of several files is one entry. */
  joined?: boolean;
  /** The query of a search, whose results are listed in place of a folder. */
  search?: string;
  /** The number of entries, limited as in a gallery. Absent for all. */
  most?: number;
}

/** Converts to the query for the server. The number of shown entries is only applied in the client. */
export function serverQuery(query: ListingQuery): Omit<ListingQuery, "most"> {
  const sent = { ...query };
  delete sent.most;
  return sent;
}

const NARROWING = ["rating", "tag", "caption", "has_caption", "type", "taken_from", "taken_to"] as const;

/** True if the choice depends on more than names. It then only contains pictures. */
export function hasMetadataFilter(query: ListingQuery): boolean {
  return NARROWING.some((one) => query[one]);
}

/** True if the query does not select the whole folder. */
export function isFiltered(query: ListingQuery): boolean {
  return query.search !== undefined || Boolean(query.filter) || query.most !== undefined || hasMetadataFilter(query);
}

/** True if the choice or the order depends on the pictures' headers and sidecars. */
export function dependsOnHeaders({ sort, group, rating, tag, caption, has_caption, taken_from, taken_to }: ListingQuery): boolean {
  // With that sort order, groups by day use the modification times of the files.
  const isByDate = group === "day" || group === "month" || group === "year";
  const isGrouped = isByDate ? sort !== "modified" : group === "camera" || group === "rating";
  const isSorted = sort === "taken" || sort === "rating" || sort === "camera" || sort === "pixels" || sort === "duration";
  return [isSorted, isGrouped, rating, tag, caption, has_caption, taken_from, taken_to].some(Boolean);
}

/** True if the query includes everything below the folder. */
export function isRecursive({ group, search }: ListingQuery): boolean {
  return group === "folder" || search !== undefined;
}

/** True if both queries select the same entries, in any order. */
export function hasSameFilter(one: ListingQuery, other: ListingQuery): boolean {
  return (["filter", "kind", "most", "joined", "search", ...NARROWING] as const).every((by) => (one[by] ?? "") === (other[by] ?? ""));
}
