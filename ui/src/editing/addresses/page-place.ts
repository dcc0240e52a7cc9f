// The pages that addresses name, and their crumbs, for the views of one page.
import type { Crumb } from "../../api/host";
import { t } from "../../i18n";
import { decodePath, lineageOf, nameOfPage, normalizePagePath, wikiUrl } from "../../markdown/links/page-path";
import type { Pair } from "./trash-address";

/** The path of the page that an address reads, in any of its views. */
export function readPath({ pathname }: URL): string | null {
  return pathname === "/" ? "/" : pathBelow(pathname, "/wiki");
}

export function pathBelow(pathname: string, base: string): string | null {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  const segments = pathname.slice(base.length).split("/").map(decodePath);
  return normalizePagePath(`/${segments.join("/")}`);
}

/** The revisions in an address; undefined if it is not of a history, null if it names no revisions. */
export function pairOf(url: URL): Pair | null | undefined {
  const range = url.searchParams.get("history");
  if (range === null) return undefined;
  const [, from, to] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(range) ?? [];
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) };
}

export function revisionOf(url: URL): number | null {
  const revision = url.searchParams.get("rev");
  return revision !== null && /^\d{1,15}$/.test(revision) ? Number(revision) : null;
}

export function pageCrumbs(path: string): Crumb[] {
  if (path === "/") return [{ label: t("tree.top") }];
  const above = lineageOf(path).slice(1, -1);
  return [...above.map((page) => ({ label: nameOfPage(page), href: wikiUrl(page), page })), { label: nameOfPage(path), page: path }];
}
