// Full-text search, and what its answers are made of.
import { wikiUrl } from "../markdown/page-path";
import type { MatchSpan } from "./backend";
import type { components } from "./schema";

export type SearchAnswer = components["schemas"]["SearchAnswer"];
export type SearchItem = components["schemas"]["SearchItem"];
export type TagCount = components["schemas"]["TagCount"];
export type WantedPage = components["schemas"]["WantedPage"];
export type OrphanPage = components["schemas"]["OrphanPage"];
export type Marked = components["schemas"]["Marked"];

export interface SearchOptions {
  limit?: number;
  /** From the answer before. */
  anchor?: string | null;
}

export interface SearchApi {
  /** Finds pages by the words of their texts; docs/SEARCH.md has the grammar. */
  find(query: string, options?: SearchOptions, signal?: AbortSignal): Promise<SearchAnswer>;
  /** All tags, by name. */
  tags(signal?: AbortSignal): Promise<TagCount[]>;
  /** Paths that pages link to and that have no page, those with most links first. */
  wanted(signal?: AbortSignal): Promise<WantedPage[]>;
  /** Pages that no other page links to, by path. */
  orphans(signal?: AbortSignal): Promise<OrphanPage[]>;
}

export const SEARCH_ADDRESS = "/search";

/** The address of the search view. */
export function searchAddress(query: string): string {
  return query === "" ? SEARCH_ADDRESS : `${SEARCH_ADDRESS}?${new URLSearchParams({ q: query }).toString()}`;
}

/** What an address of the search view asks for; null for any other address. */
export function parseSearchAddress({ pathname, searchParams }: URL): { query: string } | null {
  return pathname === SEARCH_ADDRESS ? { query: searchParams.get("q") ?? "" } : null;
}

/** How many texts an address carries to be highlighted. */
const MOST_TEXTS = 10;
const FIND = "find";

/** Where a page that was found is read, with the texts that are highlighted there. */
export function foundAddress({ path, title, snippets }: SearchItem): string {
  const parts = [...(title ? [title] : []), ...snippets].flatMap(spansOf);
  const texts = new Set(parts.filter(({ matched }) => matched).map(({ text }) => text.trim()));
  const query = new URLSearchParams([...texts].slice(0, MOST_TEXTS).map((text) => [FIND, text])).toString();
  return wikiUrl(path.text) + (query === "" ? "" : `?${query}`);
}

/** The texts that an address of a page wants to be highlighted. */
export function textsToFind(url: URL): string[] {
  return url.searchParams.getAll(FIND).filter((text) => text.trim() !== "");
}

/** A text in pieces. */
export function spansOf({ text, highlights }: Marked): MatchSpan[] {
  const spans: MatchSpan[] = [];
  let at = 0;
  for (const [from = 0, to = 0] of highlights) {
    if (from > at) spans.push({ text: text.slice(at, from), matched: false });
    spans.push({ text: text.slice(from, to), matched: true });
    at = to;
  }
  if (at < text.length) spans.push({ text: text.slice(at), matched: false });
  return spans;
}
