// Where a result is opened.
import { hashesAddress, NO_HASH_FILTER } from "../api/hashes-address";
import { encodeToldPath, lastSegment, parentPath, ROOT_PATH } from "../api/names";
import { picturesAddress } from "../api/pictures-address";
import { FILE, FIND, type PageResult, type PictureResult, type SearchItem, spansOf } from "../api/search";
import { wikiUrl } from "../markdown/page-path";

/** How many texts an address carries to be highlighted. */
const MOST_TEXTS = 10;

/** The address of a page or of a large picture, of a file beside its page, or of a record among the records. */
export function foundAddress(item: SearchItem): string {
  switch (item.kind) {
    case "page":
      return pageAddress(item);
    case "file":
      return `${wikiUrl(item.page_path)}?${new URLSearchParams({ [FILE]: item.asset_id }).toString()}`;
    case "picture":
      return pictureAddress(item);
    case "record":
      return hashesAddress({ filter: { ...NO_HASH_FILTER, q: item.path.text } });
  }
}

/** With the texts that are highlighted there. */
function pageAddress({ path, title, snippets }: PageResult): string {
  const parts = [...(title ? [title] : []), ...snippets].flatMap(spansOf);
  const texts = new Set(parts.filter(({ matched }) => matched).map(({ text }) => text.trim()));
  const query = new URLSearchParams([...texts].slice(0, MOST_TEXTS).map((text) => [FIND, text])).toString();
  return wikiUrl(path.text) + (query === "" ? "" : `?${query}`);
}

function pictureAddress({ root, root_path, root_path_bytes }: PictureResult): string {
  const path = encodeToldPath(root_path, root_path_bytes);
  return picturesAddress(root, parentPath(path) ?? ROOT_PATH, lastSegment(path));
}
