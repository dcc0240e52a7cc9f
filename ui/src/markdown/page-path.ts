// Page paths: absolute, NFC, `/` between segments, no `.`, `..`, empty segments or control characters;
// and the addresses under which a page is read and written.

// eslint-disable-next-line no-control-regex -- control characters are exactly what a path must not hold
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The one spelling of an absolute path, or null if it is none; `..` can't lead above the root. */
export function normalizePagePath(path: string): string | null {
  if (!path.startsWith("/") || CONTROL.test(path)) return null;
  const kept: string[] = [];
  for (const segment of path.normalize("NFC").split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) return null;
  }
  return `/${kept.join("/")}`;
}

/** A path as a page writes it: absolute, or relative to the page's place as addresses are (docs/spec/wiki.md, Reading). */
export function resolvePagePath(written: string, pagePath: string): string | null {
  if (written.startsWith("/")) return normalizePagePath(written);
  const folder = pagePath.slice(0, pagePath.lastIndexOf("/") + 1);
  return normalizePagePath(`${folder}${written}`);
}

/** The address where a page is read; every segment percent-encoded. */
export function wikiUrl(path: string): string {
  return `/wiki${encodeSegments(path)}`;
}

/** The address where a page is written. */
export function editUrl(path: string): string {
  return `/edit${encodeSegments(path)}`;
}

/** The page that an address under `/wiki/` names, or null for any other address. */
export function pathOfWikiUrl(pathname: string): string | null {
  if (pathname !== "/wiki" && !pathname.startsWith("/wiki/")) return null;
  return normalizePagePath(decodePath(pathname.slice("/wiki".length)) || "/");
}

/** The last segment, which is a page's name where it has no heading of its own; "" for the root. */
export function nameOfPage(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The pages above one, root first, itself last: `/a/b` gives `/`, `/a`, `/a/b`. */
export function lineageOf(path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return ["/", ...segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`)];
}

/** Percent-decoding that leaves what is no valid UTF-8 as it was written. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encodeSegments(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
