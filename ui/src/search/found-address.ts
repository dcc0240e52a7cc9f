// Where a page that was found is read.
import { FIND, type PageResult, spansOf } from "../api/search";
import { wikiUrl } from "../markdown/page-path";

/** How many texts an address carries to be highlighted. */
const MOST_TEXTS = 10;

/** The page's address, with the texts that are highlighted there. */
export function foundAddress({ path, title, snippets }: PageResult): string {
  const parts = [...(title ? [title] : []), ...snippets].flatMap(spansOf);
  const texts = new Set(parts.filter(({ matched }) => matched).map(({ text }) => text.trim()));
  const query = new URLSearchParams([...texts].slice(0, MOST_TEXTS).map((text) => [FIND, text])).toString();
  return wikiUrl(path.text) + (query === "" ? "" : `?${query}`);
}
