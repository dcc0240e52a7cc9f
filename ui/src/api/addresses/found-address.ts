// The pictures that a search finds, as one folder: its root is `search`, and the paths below it begin with the id of the
// root of each picture.
import type { FilePlace } from "../backend";
import { type EncodedPath, ROOT_PATH } from "../names";

export const SEARCH_ROOT = "search";

/** The place of a file itself: one among the results of a search has a root of its own. */
export function ownPlace({ root, path }: FilePlace): FilePlace {
  if (root !== SEARCH_ROOT || path === ROOT_PATH) return { root, path };
  const cut = path.indexOf("/");
  if (cut < 0) return { root: decodeURIComponent(path), path: ROOT_PATH };
  return { root: decodeURIComponent(path.slice(0, cut)), path: path.slice(cut + 1) as EncodedPath };
}

/** The path of a file among the results of a search. */
export function pathInResults({ root, path }: FilePlace): EncodedPath {
  return (path === ROOT_PATH ? root : `${root}/${path}`) as EncodedPath;
}

/** The address of all pictures that a query finds, of a smart album if one is named. */
export function foundAddress(query: string, album?: string): string {
  return `/pictures/${SEARCH_ROOT}/?${new URLSearchParams({ q: query, ...(album === undefined ? {} : { saved: album }) }).toString()}`;
}
