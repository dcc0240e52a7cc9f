// The meaning of a link's or picture's destination, decided in one place for Markdown and for raw HTML.
import { decodePath, normalizePagePath, pathOfWikiUrl, resolvePagePath, wikiUrl } from "./page-path";

export type Destination =
  /** A page by its path; `tail` is the query and fragment as written. */
  | { kind: "page"; path: string; tail: string }
  /** A page by its id, wherever it is now. */
  | { kind: "page-id"; id: string; tail: string }
  /** A file that belongs to a page (docs/spec/wiki.md, Files). */
  | { kind: "asset"; path: string; file: string }
  | { kind: "fragment"; fragment: string }
  | { kind: "external"; url: string }
  /** A destination that can't be followed: an unknown scheme, or no address at all. */
  | { kind: "inert" };

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
// Browsers skip control characters and blanks before and inside a scheme, so they are removed before the check.
// eslint-disable-next-line no-control-regex -- that is their range
const SKIPPED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]/g;
const OUTSIDE = new Set(["http", "https", "mailto"]);

/** Returns the meaning of a Markdown destination on the page `pagePath`. */
export function readDestination(written: string, pagePath: string): Destination {
  const scheme = SCHEME.exec(written.replace(SKIPPED, ""))?.[1]?.toLowerCase();
  if (scheme === undefined) return readPath(written, pagePath);
  const rest = written.slice(written.indexOf(":") + 1);
  if (scheme === "page") return readPageId(rest);
  if (scheme === "asset") return readAsset(rest, pagePath);
  return OUTSIDE.has(scheme) ? readExternal(written) : { kind: "inert" };
}

/**
 * Returns the meaning of an address in raw HTML. There `/wiki/…` is written out, and relative addresses are as on
 * `/wiki/{page}`.
 */
export function readAddress(href: string, pagePath: string): Destination {
  const scheme = SCHEME.exec(href.replace(SKIPPED, ""))?.[1]?.toLowerCase();
  if (scheme !== undefined) return readDestination(href, pagePath);
  if (href.startsWith("#")) return { kind: "fragment", fragment: decodePath(href.slice(1)) };
  const base = `http://page.invalid${wikiUrl(pagePath)}`;
  if (!URL.canParse(href, base)) return { kind: "inert" };
  const url = new URL(href, base);
  if (url.host !== "page.invalid") return readExternal(url.href);
  const path = pathOfWikiUrl(url.pathname);
  if (path !== null) return { kind: "page", path, tail: url.search + url.hash };
  return readAssetAddress(url);
}

/** Returns the canonical address of a destination, which `readAddress` reads back; null if it can't be followed. */
export function addressOf(destination: Destination): string | null {
  switch (destination.kind) {
    case "page":
      return wikiUrl(destination.path) + destination.tail;
    case "asset":
      return `/api/asset?path=${encodeURIComponent(destination.path)}&file=${encodeURIComponent(destination.file)}`;
    case "fragment":
      return `#${encodeURIComponent(destination.fragment)}`;
    case "external":
      return destination.url;
    case "page-id":
      return `page:${destination.id}${destination.tail}`;
    case "inert":
      return null;
  }
}

function readPath(written: string, pagePath: string): Destination {
  const [path, tail] = splitTail(written);
  // Browsers read this as an address on another host.
  if (path.startsWith("//")) return { kind: "inert" };
  if (path === "") {
    const fragment = tail.indexOf("#");
    if (fragment >= 0 && !tail.startsWith("?")) return { kind: "fragment", fragment: decodePath(tail.slice(1)) };
    return tail === "" ? { kind: "inert" } : { kind: "page", path: pagePath, tail: encodeTail(tail) };
  }
  const resolved = resolvePagePath(decodePath(path), pagePath);
  return resolved === null ? { kind: "inert" } : { kind: "page", path: resolved, tail: encodeTail(tail) };
}

function readPageId(rest: string): Destination {
  const [id, tail] = splitTail(rest);
  return ULID.test(id) ? { kind: "page-id", id: id.toUpperCase(), tail: encodeTail(tail) } : { kind: "inert" };
}

function readAsset(rest: string, pagePath: string): Destination {
  const written = decodePath(splitTail(rest)[0]);
  // A page is the folder of its own files: `asset:name` is a file of this page, `asset:../page/name` one of a sibling.
  const full = normalizePagePath(written.startsWith("/") ? written : `${pagePath}/${written}`);
  if (full === null || full === "/" || written.endsWith("/")) return { kind: "inert" };
  const cut = full.lastIndexOf("/");
  return { kind: "asset", path: full.slice(0, cut) || "/", file: full.slice(cut + 1) };
}

function readAssetAddress(url: URL): Destination {
  const path = url.searchParams.get("path");
  const file = url.searchParams.get("file");
  return url.pathname === "/api/asset" && path !== null && file !== null ? { kind: "asset", path, file } : { kind: "inert" };
}

function readExternal(written: string): Destination {
  if (!URL.canParse(written)) return { kind: "inert" };
  const url = new URL(written);
  return OUTSIDE.has(url.protocol.slice(0, -1)) ? { kind: "external", url: url.href } : { kind: "inert" };
}

/** Splits at the first `?` or `#`, which starts the tail. */
function splitTail(written: string): [path: string, tail: string] {
  const at = written.search(/[?#]/);
  return at < 0 ? [written, ""] : [written.slice(0, at), written.slice(at)];
}

/** Encodes the characters that an address may not contain, and none of them twice. */
function encodeTail(tail: string): string {
  return encodeURI(tail).replace(/%25([0-9A-Fa-f]{2})/g, "%$1");
}
