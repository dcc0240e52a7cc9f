// The addresses of the history: `/wiki/{path}?history`, with the two compared revisions as `?history=3..7`; and of
// pages in the trash.
import { pairOf, revisionOf } from "../editing/addresses/page-place";
import { TRASH_ADDRESS, type TrashedPagePlace, historyQuery, type Pair } from "../editing/addresses/trash-address";
import { wikiUrl } from "../markdown/links/page-path";

export { TRASH_ADDRESS, type TrashedPagePlace, trashedPageUrl, type Pair } from "../editing/addresses/trash-address";

export function historyUrl(path: string, pair: Pair | null = null): string {
  return `${wikiUrl(path)}?${historyQuery(pair)}`;
}

/** The page in the trash that an address names; null for the whole trash, or another address. */
export function trashedPagePlace(url: URL): TrashedPagePlace | null {
  const id = url.pathname === TRASH_ADDRESS ? url.searchParams.get("page") : null;
  return id === null ? null : { id, revision: revisionOf(url), pair: pairOf(url) };
}
