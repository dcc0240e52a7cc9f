// A link to a page as the whole value of a property: `[[/path]]` or `[[/path|label]]`.
import { decodePath, nameOfPage, normalizePagePath } from "./page-path";

/** The path and the label; null for any other text. */
export function pageLinkOf(value: string): { path: string; label: string } | null {
  const inner = /^\[\[([^[\]\n]+)\]\]$/.exec(value)?.[1];
  if (inner === undefined) return null;
  const [target = "", label = ""] = inner.split("|", 2).map((part) => part.trim());
  const path = target.startsWith("/") ? normalizePagePath(decodePath(target)) : null;
  return path === null ? null : { path, label: label || nameOfPage(path) || path };
}
