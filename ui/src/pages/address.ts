// The address of the list of pages: which of them, and where in the list one is.

export const PAGES_ADDRESS = "/pages";

/** A cursor into the list: the page at it is left out. */
export type ListCursor = { after: string } | { before: string } | null;

export interface ListPlace {
  /** What the paths begin with. */
  prefix: string;
  cursor: ListCursor;
}

/** What an address of the list stands for; null for any other address. */
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
