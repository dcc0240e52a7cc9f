// The addresses of searches for duplicates: `/duplicates/` for all folders, `/duplicates/{root}/{path}` for one and those
// below it; with `?search=` for the groups of a search.
import type { FilePlace } from "../backend";
import { canonicalPath } from "../names";

export const DUPLICATES_ADDRESS = "/duplicates/";

export interface DuplicatesPlace {
  /** Null for all folders. */
  folder: FilePlace | null;
  /** The job of the search; null before it is started. */
  search: string | null;
}

export function duplicatesAddress(folder: FilePlace | null, search: string | null = null): string {
  const place = folder === null ? "" : `${encodeURIComponent(folder.root)}/${folder.path}`;
  return DUPLICATES_ADDRESS + place + (search === null ? "" : `?${new URLSearchParams({ search }).toString()}`);
}

/** The place of an address; null for an address of another view. */
export function parseDuplicatesAddress({ pathname, searchParams }: URL): DuplicatesPlace | null {
  if (!`${pathname}/`.startsWith(DUPLICATES_ADDRESS)) return null;
  const [root, ...folders] = pathname.slice(DUPLICATES_ADDRESS.length).split("/");
  const folder = root ? { root: decodeURIComponent(root), path: canonicalPath(folders.join("/")) } : null;
  return { folder, search: searchParams.get("search") };
}
