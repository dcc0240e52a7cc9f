// Full-text search and the types of its answers.
import type { Backend, MatchSpan } from "./backend";
import type { components } from "./schema";

export type SearchItem = components["schemas"]["SearchItem"];
export type SearchKind = SearchItem["kind"];
/** A result of one kind. */
export type ResultOf<K extends SearchKind> = Extract<SearchItem, { kind: K }>;
export type PageResult = ResultOf<"page">;
export type FileResult = ResultOf<"file">;
export type PictureResult = ResultOf<"picture">;
export type RecordResult = ResultOf<"record">;
/** The parts that an answer lacks. */
export type PartialAnswer = components["schemas"]["Partial"];

/** Results of one kind, the best first. */
export interface SearchAnswer<K extends SearchKind = SearchKind> extends Omit<components["schemas"]["SearchAnswer"], "items"> {
  items: ResultOf<K>[];
}
export type FoundFolder = components["schemas"]["FoundFolder"];
export type TagCount = components["schemas"]["TagCount"];
export type WantedPage = components["schemas"]["WantedPage"];
export type OrphanPage = components["schemas"]["OrphanPage"];
export type HighlightedText = components["schemas"]["Marked"];

/** Texts that are searched besides the current ones. */
export interface SearchScope {
  /** Pages and files in the trash. */
  deleted: boolean;
  /** Earlier revisions of pages. */
  revisions: boolean;
}

export type SearchApi = Backend["search"];

export interface SearchOptions extends Partial<SearchScope> {
  limit?: number;
  /** Taken from the previous answer. */
  anchor?: string | null;
}

/** All kinds, in the order in which their results are shown. */
export const SEARCH_KINDS = ["page", "picture", "file", "record"] as const satisfies readonly SearchKind[];

export const SEARCH_ADDRESS = "/search";

/** The names of both parts of a scope, in the order in which they are shown. */
export const SCOPE_PARTS = ["deleted", "revisions"] as const satisfies readonly (keyof SearchScope)[];

/** The state of the search view. */
export interface SearchPlace extends SearchScope {
  query: string;
  /** The kind of the results; null for all kinds. */
  kind: SearchKind | null;
}

/** The address of the search view. */
export function searchAddress({ query = "", kind = null, ...scope }: Partial<SearchPlace>): string {
  const parameters: [string, string][] = [
    ["q", query],
    ["kind", kind ?? ""],
    ...SCOPE_PARTS.map((part): [string, string] => [part, scope[part] === true ? "true" : ""]),
  ];
  return withParameters(SEARCH_ADDRESS, parameters.filter(([, value]) => value !== ""));
}

/** Parses an address of the search view; null for any other address. */
export function parseSearchAddress({ pathname, searchParams }: URL): SearchPlace | null {
  if (pathname !== SEARCH_ADDRESS) return null;
  const kind = SEARCH_KINDS.find((one) => one === searchParams.get("kind")) ?? null;
  const isSet = (part: keyof SearchScope) => searchParams.get(part) === "true";
  return { query: searchParams.get("q") ?? "", kind, deleted: isSet("deleted"), revisions: isSet("revisions") };
}

/** Names a text to highlight, in the address of a page. */
export const FIND = "find";

/** An address of a page that highlights texts. */
export function withTexts(address: string, texts: readonly string[]): string {
  return withParameters(address, texts.map((text) => [FIND, text]));
}

/** The address of a page without the texts to be highlighted. */
export function withoutTexts({ pathname, searchParams }: URL): string {
  return withParameters(pathname, [...searchParams].filter(([name]) => name !== FIND));
}

/** The texts that an address of a page wants to be highlighted. */
export function textsToFind(url: URL): string[] {
  return url.searchParams.getAll(FIND).filter((text) => text.trim() !== "");
}

/** Names a file to show, in the address of its page. */
export const FILE = "file";

/** An address of a page that shows a file. */
export function withFile(address: string, id: string): string {
  return withParameters(address, [[FILE, id]]);
}

/** The id of the file that an address of a page wants to be shown. */
export function fileToShow(url: URL): string | null {
  return url.searchParams.get(FILE);
}

function withParameters(address: string, parameters: [string, string][]): string {
  if (parameters.length === 0) return address;
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(parameters).toString()}`;
}

/** Returns a part of a text with its highlights. */
export function sliceHighlighted({ text, highlights }: HighlightedText, start: number, end: number): HighlightedText {
  const within = highlights.map(([from = 0, to = 0]) => [Math.max(from, start) - start, Math.min(to, end) - start]);
  return { text: text.slice(start, end), highlights: within.filter(([from = 0, to = 0]) => from < to) };
}

/** Splits a text into highlighted and plain pieces. */
export function spansOf({ text, highlights }: HighlightedText): MatchSpan[] {
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
