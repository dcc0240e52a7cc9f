// The address of the table of pages: its filters and its order.
import type { PageCondition } from "../api/backend";

export const PAGES_ADDRESS = "/pages";

export const COMPARISONS = ["contains", "is", "is_not", "less", "at_most", "more", "at_least", "exists"] as const;

export interface PageOrder {
  by: string;
  descending: boolean;
}

export const BY_PATH: PageOrder = { by: "path", descending: false };

export interface ListPlace {
  /** A part of the paths. */
  text: string;
  /** Empty for pages with any tags. */
  tag: string;
  where: PageCondition | null;
  order: PageOrder;
}

export const ALL_PAGES: ListPlace = { text: "", tag: "", where: null, order: BY_PATH };

/** Parses an address of the table; null for any other address. */
export function parsePagesAddress({ pathname, searchParams }: URL): ListPlace | null {
  if (pathname !== PAGES_ADDRESS) return null;
  const sort = searchParams.get("sort") ?? BY_PATH.by;
  return {
    text: searchParams.get("text") ?? "",
    tag: searchParams.get("tag") ?? "",
    where: conditionIn(searchParams),
    order: { by: sort.replace(/^-/, ""), descending: sort.startsWith("-") },
  };
}

export function pagesAddress({ text, tag, where, order: { by, descending } }: ListPlace): string {
  const sort = (descending ? "-" : "") + by;
  const query = new URLSearchParams({
    ...(text !== "" && { text }),
    ...(tag !== "" && { tag }),
    ...(where !== null && { property: where.property, is: where.comparison, value: where.value ?? "" }),
    ...(sort !== BY_PATH.by && { sort }),
  }).toString();
  return query === "" ? PAGES_ADDRESS : `${PAGES_ADDRESS}?${query}`;
}

function conditionIn(query: URLSearchParams): PageCondition | null {
  const property = query.get("property") ?? "";
  const comparison = COMPARISONS.find((one) => one === query.get("is"));
  return property === "" || comparison === undefined ? null : { property, comparison, value: query.get("value") ?? "" };
}
