// The filter of the pictures that a search finds, as terms of the query (docs/SEARCH.md). Pure.
import { type Filter, type RatingFilter } from "./filter";

/** Returns a filter without what a query has no terms for: its words search captions already. */
export function searchFilter(filter: Filter): Filter {
  return { ...filter, text: "", caption: null, hasCaption: null };
}

/** Returns the query for those of the found pictures that pass the filter. */
export function filteredSearch(query: string, filter: Filter): string {
  const { rating, types, from, to, tag } = filter;
  const terms = [
    ...(rating === null ? [] : [ratingTerm(rating)]),
    ...(types.length === 0 ? [] : [`type:${types.join("|")}`]),
    ...(tag === null ? [] : [`tag:"${tag.replaceAll('"', " ")}"`]),
    ...(from === null ? [] : [`after:${from}`]),
    ...(to === null ? [] : [`before:${dayAfter(to)}`]),
  ];
  // The terms come first: quotes in the query may be unclosed.
  return [...terms, query].join(" ").trim();
}

function ratingTerm(rating: RatingFilter): string {
  return rating === "unrated" || rating === "rejected" ? `rating:${rating}` : `rating:>=${rating}`;
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
