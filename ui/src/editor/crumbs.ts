// The way to a page, for the top bar.
import type { Crumb } from "../api/host";
import { lineageOf, nameOfPage, wikiUrl } from "../markdown";

/** From the uppermost page down to `path`, all of them links; the root page alone is called `top`. */
export function crumbsOf(path: string, top: string): Crumb[] {
  const pages = path === "/" ? ["/"] : lineageOf(path).slice(1);
  return pages.map((page) => ({ label: nameOfPage(page) || top, href: wikiUrl(page) }));
}
