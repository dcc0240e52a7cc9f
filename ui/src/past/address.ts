// The addresses of the past: `/wiki/{path}?history`, with the two revisions that are compared as `?history=3..7`; and of
// pages in the bin.
import { BIN_ADDRESS, type DeletedPlace, historyQuery, type Pair } from "../editing/deleted";
import { wikiUrl } from "../markdown/page-path";

export { BIN_ADDRESS, type DeletedPlace, deletedUrl, type Pair } from "../editing/deleted";

export function historyUrl(path: string, pair: Pair | null = null): string {
  return `${wikiUrl(path)}?${historyQuery(pair)}`;
}

/** What an address asks for; undefined when it is none of a history, null when it names no revisions. */
export function pairOf(url: URL): Pair | null | undefined {
  const asked = url.searchParams.get("history");
  if (asked === null) return undefined;
  const [, from, to] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(asked) ?? [];
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) };
}

export function revisionOf(url: URL): number | null {
  const revision = url.searchParams.get("rev");
  return revision !== null && /^\d{1,15}$/.test(revision) ? Number(revision) : null;
}

/** The page in the bin that an address names; null where it is that of the whole bin, or another one. */
export function deletedPlaceOf(url: URL): DeletedPlace | null {
  const id = url.pathname === BIN_ADDRESS ? url.searchParams.get("page") : null;
  return id === null ? null : { id, revision: revisionOf(url), pair: pairOf(url) };
}
