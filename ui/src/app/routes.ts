// The routes of the page: the view of each address.
import { CACHE_ADDRESS, CACHE_JOBS } from "../api/cache-address";
import { hashesAddress, type HashesPlace, parseHashesAddress } from "../api/hashes-address";
import { HASH_JOBS } from "../api/hashes";
import { parseSearchAddress, type SearchPlace } from "../api/search";
import { type FolderPlace, parsePicturesAddress } from "../folders/query/address";
import type { ShownKind } from "../jobs/keys";
import { BIN_ADDRESS, type DeletedPlace, deletedPlaceOf, type Pair, pairOf, revisionOf } from "../past/address";
import { type ListPlace, parsePagesAddress } from "../pages/address";
import { decodePath, normalizePagePath } from "../markdown/page-path";

export type Route =
  | { room: "wiki"; path: string; revision: number | null }
  | { room: "history"; path: string; pair: Pair | null }
  | { room: "edit"; path: string }
  | ({ room: "pictures" } & FolderPlace)
  | ({ room: "hashes" } & HashesPlace)
  | { room: "cache" }
  | { room: "bin" }
  | ({ room: "deleted" } & DeletedPlace)
  | ({ room: "pages" } & ListPlace)
  | ({ room: "search" } & SearchPlace)
  | { room: "settings"; part: "general" | "files" }
  | { room: "unknown" };

export const SETTINGS_ADDRESS = "/settings";
/** The address that shows a job. */
export function jobAddress({ id, kind }: { id: string; kind: ShownKind }): string {
  if (HASH_JOBS.some((one) => one === kind)) return hashesAddress({ part: "report", job: id });
  if (CACHE_JOBS.some((one) => one === kind)) return CACHE_ADDRESS;
  return `${SETTINGS_ADDRESS}#${kind}`;
}

/** The address of the orphaned assets. */
export const LOST_FILES_ADDRESS = "/settings/files";

export function parseAddress(url: URL): Route {
  const { pathname } = url;
  if (pathname === SETTINGS_ADDRESS) return { room: "settings", part: "general" };
  if (pathname === LOST_FILES_ADDRESS) return { room: "settings", part: "files" };
  if (pathname === CACHE_ADDRESS) return { room: "cache" };
  const hashes = parseHashesAddress(url);
  if (hashes) return { room: "hashes", ...hashes };
  const list = parsePagesAddress(url);
  if (list) return { room: "pages", ...list };
  const search = parseSearchAddress(url);
  if (search) return { room: "search", ...search };
  const deleted = deletedPlaceOf(url);
  if (deleted) return { room: "deleted", ...deleted };
  if (pathname === BIN_ADDRESS) return { room: "bin" };
  const pictures = parsePicturesAddress(url);
  if (pictures) return { room: "pictures", ...pictures };
  const edited = pathBelow(pathname, "/edit");
  if (edited !== null) return { room: "edit", path: edited };
  const read = pathname === "/" ? "/" : pathBelow(pathname, "/wiki");
  const pair = pairOf(url);
  if (read !== null && pair !== undefined) return { room: "history", path: read, pair };
  if (read !== null) return { room: "wiki", path: read, revision: revisionOf(url) };
  return { room: "unknown" };
}

/** `URL.parse`, which some engines lack. */
export function parseUrl(address: string, base?: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}

function pathBelow(pathname: string, base: string): string | null {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  const segments = pathname.slice(base.length).split("/").map(decodePath);
  return normalizePagePath(`/${segments.join("/")}`);
}
