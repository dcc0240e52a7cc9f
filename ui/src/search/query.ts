// A search question, and its part for a kind of results.
import { SCOPE_PARTS, type SearchKind, type SearchScope } from "../api/search";

export interface SearchQuestion extends Partial<SearchScope> {
  query: string;
}

const SCOPES: Record<SearchKind, readonly (keyof SearchScope)[]> = {
  page: ["deleted", "revisions"],
  picture: [],
  file: ["deleted"],
  record: [],
};

/** True if a part of the scope changes the results of a kind; null for all kinds. */
export function concerns(part: keyof SearchScope, kind: SearchKind | null): boolean {
  return kind === null || SCOPES[kind].includes(part);
}

/** The question for one kind. */
export function queryFor(kind: SearchKind, { query, ...scope }: SearchQuestion): SearchQuestion {
  const parts = SCOPE_PARTS.filter((part) => concerns(part, kind) && scope[part] === true);
  return { query, ...Object.fromEntries(parts.map((part) => [part, true])) };
}

export function isSameQuery(a: SearchQuestion, b: SearchQuestion): boolean {
  return a.query === b.query && SCOPE_PARTS.every((part) => (a[part] ?? false) === (b[part] ?? false));
}

/** The tag of a query for its pages alone; null for any other query. */
export function tagOfQuery(query: string): string | null {
  const [, quoted, bare] = /^tag:(?:"([^"]+)"|([^\s"]+))$/i.exec(query) ?? [];
  return quoted ?? bare ?? null;
}
