// The address of the list of pages: the prefix, and the position in the list.

export const PAGES_ADDRESS = "/pages";

/** A cursor into the list, which excludes its own page. */
export type ListCursor = { after: string } | { before: string } | null;

export interface ListPlace {
  /** The prefix of the paths. */
  prefix: string;
  cursor: ListCursor;
}

/** Parses an address of the list; null for any other address. */
export function parsePagesAddress({ pathname, searchParams }: URL): ListPlace | null {
  if (pathname !== PAGES_ADDRESS) return null;
  const after = searchParams.get("after");
  const before = searchParams.get("before");
  const cursor = after !== null ? { after } : before !== null ? { before } : null;
  return { prefix: searchParams.get("prefix") ?? "", cursor };
}

export function pagesAddress({ prefix, cursor }: ListPlace): string {
  const query = new URLSearchParams({ ...(prefix !== "" && { prefix }), ...cursor }).toString();
  return query === "" ? PAGES_ADDRESS : `${PAGES_ADDRESS}?${query}`;
}
