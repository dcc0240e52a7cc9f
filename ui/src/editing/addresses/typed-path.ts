// Conversion of a typed text to the path of a page.
import { hasUnshowable } from "../../api/formats/unshowable";
import { normalizePagePath } from "../../markdown/links/page-path";

const AT_MOST_BYTES = 1_024;
const AT_MOST_LEVELS = 64;

/** Absolute if it starts with a slash, else below `base`. Null if it cannot be the path of a page. */
export function pathFromTyping(typed: string, base = "/"): string | null {
  const text = typed.trim();
  if (text === "" || hasUnshowable(text)) return null;
  const path = normalizePagePath(text.startsWith("/") ? text : `${base}/${text}`);
  if (path === null || path.split("/").length - 1 > AT_MOST_LEVELS) return null;
  return new TextEncoder().encode(path).length <= AT_MOST_BYTES ? path : null;
}
