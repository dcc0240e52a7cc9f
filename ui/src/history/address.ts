// The addresses of the history: `/wiki/{path}?history`, with the two compared revisions as `?history=3..7`; and of
// pages in the trash.
import { TRASH_ADDRESS, type TrashedPagePlace, historyQuery, type Pair } from "../editing/trash-address";
import { wikiUrl } from "../markdown/page-path";

export { TRASH_ADDRESS, type TrashedPagePlace, trashedPageUrl, type Pair } from "../editing/trash-address";

export function historyUrl(path: string, pair: Pair | null = null): string {
  return `${wikiUrl(path)}?${historyQuery(pair)}`;
}

/** The revisions in an address; undefined if it is not of a history, null if it names no revisions. */
export function pairOf(url: URL): Pair | null | undefined {
  const range = url.searchParams.get("history");
  if (range === null) return undefined;
  const [, from, to] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(range) ?? [];
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) };
}

export function revisionOf(url: URL): number | null {
  const revision = url.searchParams.get("rev");
  return revision !== null && /^\d{1,15}$/.test(revision) ? Number(revision) : null;
}

/** The page in the trash that an address names; null for the whole trash, or another address. */
export function trashedPagePlace(url: URL): TrashedPagePlace | null {
  const id = url.pathname === TRASH_ADDRESS ? url.searchParams.get("page") : null;
  return id === null ? null : { id, revision: revisionOf(url), pair: pairOf(url) };
}
