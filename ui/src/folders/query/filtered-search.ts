// The filter of the pictures that a search finds, as terms of the query (docs/SEARCH.md). Pure.
import { type Filter, type RatingFilter } from "./filter";

/** Returns a filter without its text, whose place the query takes. */
export function searchFilter(filter: Filter): Filter {
  return { ...filter, text: "" };
}

/** Returns the query for those of the found pictures that pass the filter. */
export function filteredSearch(query: string, filter: Filter): string {
  const { rating, types, from, to, tag, caption, hasCaption } = filter;
  const terms = [
    ...(rating === null ? [] : [ratingTerm(rating)]),
    ...(types.length === 0 ? [] : [`type:${types.join("|")}`]),
    ...(tag === null ? [] : [`tag:"${tag.replaceAll('"', " ")}"`]),
    ...(caption === null ? [] : [`caption:${words(caption)}`]),
    ...(hasCaption === null ? [] : [hasCaption ? "has:caption" : "-has:caption"]),
    ...(from === null ? [] : [`after:${from}`]),
    ...(to === null ? [] : [`before:${dayAfter(to)}`]),
  ];
  // The terms come first: quotes in the query may be unclosed.
  return [...terms, query].join(" ").trim();
}

/** Returns a text as the value of a term. Several words need quotes, in which only whole words fit. */
function words(text: string): string {
  const plain = text.replaceAll('"', " ").trim();
  return /\s/.test(plain) ? `"${plain}"` : plain;
}

function ratingTerm(rating: RatingFilter): string {
  return rating === "unrated" || rating === "rejected" ? `rating:${rating}` : `rating:>=${rating}`;
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
