// What each address of the page shows.
import { type FolderPlace, parsePicturesAddress } from "../folders/address";
import { type Pair, pairOf } from "../past/address";
import { decodePath, normalizePagePath } from "../markdown/page-path";

export type Route =
  | { room: "wiki"; path: string; revision: number | null }
  | { room: "history"; path: string; pair: Pair | null }
  | { room: "edit"; path: string }
  | ({ room: "pictures" } & FolderPlace)
  | { room: "settings" }
  | { room: "unknown" };

export const SETTINGS_ADDRESS = "/settings";

export function parseAddress(url: URL): Route {
  const { pathname } = url;
  if (pathname === SETTINGS_ADDRESS) return { room: "settings" };
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

/** `URL.parse`, which not every engine has yet. */
export function parseUrl(address: string, base?: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}

function pathBelow(pathname: string, base: string): string | null {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  const segments = pathname.slice(base.length).split("/").map(decodePath);
  return normalizePagePath(`/${segments.join("/")}`);
}

function revisionOf(url: URL): number | null {
  const revision = url.searchParams.get("rev");
  return revision !== null && /^\d+$/.test(revision) ? Number(revision) : null;
}
