// The addresses that open results.
import { hashesAddress, NO_HASH_FILTER } from "../api/addresses/hashes-address";
import { encodePathFields, lastSegment, parentPath, ROOT_PATH } from "../api/names";
import { foundPictureAddress, picturesAddress } from "../api/addresses/pictures-address";
import { type FileResult, type PageResult, type PictureResult, type SearchItem, spansOf, withFile, withTexts } from "../api/search";
import { trashedPageUrl } from "../editing/addresses/trash-address";
import { wikiUrl } from "../markdown/links/page-path";

/** The greatest number of texts to be highlighted in an address. */
const MAX_TEXTS = 10;

/**
 * The address of a page or of a large picture, of a file beside its page, or of a record among the records; for a
 * result in the trash, the address there. With the query, a picture is shown among the results.
 */
export function resultAddress(item: SearchItem, query = ""): string {
  switch (item.kind) {
    case "page":
      return pageAddress(item);
    case "file":
      return fileAddress(item);
    case "picture":
      return pictureAddress(item, query);
    case "record":
      return hashesAddress({ filter: { ...NO_HASH_FILTER, q: item.path.text } });
  }
}

/** The address includes the texts to be highlighted there. */
function pageAddress({ page_id, path, deleted, revision = null, title, snippets }: PageResult): string {
  const parts = [...(title ? [title] : []), ...snippets].flatMap(spansOf);
  const texts = new Set(parts.filter(({ matched }) => matched).map(({ text }) => text.trim()));
  const current = wikiUrl(path.text) + (revision === null ? "" : `?rev=${revision}`);
  return withTexts(deleted ? trashedPageUrl(page_id, { revision }) : current, [...texts].slice(0, MAX_TEXTS));
}

/** The trash redirects to the page if only the file is deleted. */
function fileAddress({ asset_id, page_id, page_path, deleted }: FileResult): string {
  return withFile(deleted ? trashedPageUrl(page_id) : wikiUrl(page_path), asset_id);
}

function pictureAddress({ root, root_path, root_path_bytes }: PictureResult, query: string): string {
  const path = encodePathFields(root_path, root_path_bytes);
  const [folder, name] = [parentPath(path) ?? ROOT_PATH, lastSegment(path)];
  return query === "" ? picturesAddress(root, folder, name) : foundPictureAddress(root, folder, name, query);
}
