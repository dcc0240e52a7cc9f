// Queries about a path in the list of all pages.
import { lineageOf } from "../../markdown/links/page-path";

interface Listed {
  path: string;
  deleted: boolean;
}

/** True if there are pages below a path. */
export function hasSubpages(pages: readonly Listed[], path: string): boolean {
  const start = path.endsWith("/") ? path : `${path}/`;
  return pages.some((page) => !page.deleted && page.path.length > start.length && page.path.startsWith(start));
}

/** A page or folder on the way to `path` that differs from it in letter case only; null if there is none. */
export function pathInOtherCase(pages: readonly Listed[], path: string): string | null {
  for (const wanted of lineageOf(path).slice(1).reverse()) {
    const folded = wanted.toLowerCase();
    let other: string | null = null;
    for (const page of pages) {
      const next = page.path.charAt(wanted.length);
      if (page.deleted || (next !== "" && next !== "/")) continue;
      const prefix = page.path.slice(0, wanted.length);
      // The path exists as it was typed.
      if (prefix === wanted) return null;
      if (prefix.toLowerCase() === folded) other ??= prefix;
    }
    if (other !== null) return other;
  }
  return null;
}
