// The filter for the pictures of a folder, as part of the address. Pure.
import type { FolderQuery } from "../../api/backend";
import { PICTURE_FORMATS } from "virtual:picture-formats";

/** The `filter` of a format. */
export type PictureType = string;
/** Some formats are filtered as one. */
export const PICTURE_TYPES: readonly PictureType[] = [...new Set(PICTURE_FORMATS.map((format) => format.filter))];

export const RATING_FILTERS = ["1", "2", "3", "4", "5", "unrated", "rejected"] as const;
export type RatingFilter = (typeof RATING_FILTERS)[number];

export interface Filter {
  /** The text that names contain. */
  text: string;
  /** The minimum number of stars, unrated, or rejected. */
  rating: RatingFilter | null;
  /** The allowed types; empty for all. */
  types: readonly PictureType[];
  /** The first day on which a picture was taken, `2026-11-01`. */
  from: string | null;
  /** The last day on which a picture was taken. */
  to: string | null;
  tag: string | null;
  /** The text that captions contain. */
  caption: string | null;
  /** True for pictures with a caption, false for those without one; null for both. */
  hasCaption: boolean | null;
}

export const NO_FILTER: Filter = { text: "", rating: null, types: [], from: null, to: null, tag: null, caption: null, hasCaption: null };

/** True if the filter depends on more than the name. */
export function filtersByMetadata({ rating, types, from, to, tag, caption, hasCaption }: Filter): boolean {
  return types.length > 0 || [rating, from, to, tag, caption, hasCaption].some((part) => part !== null);
}

export function isFilterActive(filter: Filter): boolean {
  return filter.text !== "" || filtersByMetadata(filter);
}

const HAS_CAPTION = new Map([
  ["true", true],
  ["false", false],
]);

/** Reads the filter of an address. Invalid parts are left out. */
export function filterFrom(query: URLSearchParams): Filter {
  const types = (query.get("type") ?? "").split(",");
  return {
    text: query.get("filter") ?? "",
    rating: RATING_FILTERS.find((rating) => rating === query.get("rating")) ?? null,
    types: PICTURE_TYPES.filter((type) => types.includes(type)),
    from: dayOf(query.get("from")),
    to: dayOf(query.get("to")),
    tag: query.get("tag") || null,
    caption: query.get("caption") || null,
    hasCaption: HAS_CAPTION.get(query.get("has_caption") ?? "") ?? null,
  };
}

/** Returns the query for an address, without a question mark; "" for no filter. */
export function filterQuery({ text, rating, types, from, to, tag, caption, hasCaption }: Filter): string {
  const query = new URLSearchParams();
  const parts = { filter: text, rating, type: types.join(","), from, to, tag, caption, has_caption: hasCaption === null ? null : String(hasCaption) };
  for (const [name, value] of Object.entries(parts)) {
    if (value) query.set(name, value);
  }
  return query.toString();
}

type FilterQuery = Pick<FolderQuery, "filter" | "rating" | "type" | "taken_from" | "taken_to" | "tag" | "caption" | "has_caption">;

/** Converts to the query for the server. */
export function filterToQuery({ text, rating, types, from, to, tag, caption, hasCaption }: Filter): FilterQuery {
  return {
    filter: text,
    ...(rating === null ? {} : { rating }),
    ...(types.length === 0 ? {} : { type: types.join(",") }),
    ...(from === null ? {} : { taken_from: from }),
    ...(to === null ? {} : { taken_to: to }),
    ...(tag === null ? {} : { tag }),
    ...(caption === null ? {} : { caption }),
    ...(hasCaption === null ? {} : { has_caption: hasCaption ? "true" : "false" }),
  };
}

/** Returns a valid day; null for anything else. */
export function dayOf(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : null;
}
