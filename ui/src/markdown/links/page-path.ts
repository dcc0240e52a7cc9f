// Page paths: absolute, NFC, `/` between segments, no `.`, `..`, empty segments or control characters. Also the
// addresses for reading and writing a page.

// eslint-disable-next-line no-control-regex -- control characters are exactly what a path must not hold
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Returns the canonical form of an absolute path, or null if it is invalid; `..` can't lead above the root. */
export function normalizePagePath(path: string): string | null {
  if (!path.startsWith("/") || CONTROL.test(path)) return null;
  const result: string[] = [];
  for (const segment of path.normalize("NFC").split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") result.push(segment);
    else if (result.pop() === undefined) return null;
  }
  return `/${result.join("/")}`;
}

/** Resolves a path in a page: absolute, or relative to the page as addresses are (docs/spec/wiki.md, Reading). */
export function resolvePagePath(written: string, pagePath: string): string | null {
  if (written.startsWith("/")) return normalizePagePath(written);
  const folder = pagePath.slice(0, pagePath.lastIndexOf("/") + 1);
  return normalizePagePath(`${folder}${written}`);
}

/** Returns the address for reading a page, with every segment percent-encoded. */
export function wikiUrl(path: string): string {
  return `/wiki${encodeSegments(path)}`;
}

/** Returns the address for reading a page as of a moment; `tail` is the query and the fragment that follow its path. */
export function pastUrl(path: string, at: string, tail = ""): string {
  const moment = encodeURIComponent(at).replaceAll("%3A", ":");
  return `${wikiUrl(path)}?at=${moment}${tail.startsWith("?") ? `&${tail.slice(1)}` : tail}`;
}

/** Returns what follows the path of an address, without the moment. */
export function withoutMoment(tail: string): string {
  return tail.replace(/^\?at=[^&#]*(&?)/, (_, more: string) => (more === "" ? "" : "?"));
}

/** Returns the address for writing a page. */
export function editUrl(path: string): string {
  return `/edit${encodeSegments(path)}`;
}

/** Returns the page that an address under `/wiki/` names, or null for any other address. */
export function pathOfWikiUrl(pathname: string): string | null {
  if (pathname !== "/wiki" && !pathname.startsWith("/wiki/")) return null;
  return normalizePagePath(decodePath(pathname.slice("/wiki".length)) || "/");
}

/** Returns the last segment, which names a page without a heading; "" for the root. */
export function nameOfPage(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the ancestors of a page from the root, and the page itself: `/a/b` gives `/`, `/a`, `/a/b`. */
export function lineageOf(path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return ["/", ...segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`)];
}

/** Percent-decodes a text. Invalid UTF-8 leaves it as written. */
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
