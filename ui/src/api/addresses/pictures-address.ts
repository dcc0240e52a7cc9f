// The addresses of the picture folders: `/pictures/{root}/{path}`, with `?view=` for one picture large.
import type { FilePlace } from "../backend";
import { type EncodedPath, lastSegment, parentPath, ROOT_PATH } from "../names";

/** A folder's address, or that of one picture in it. */
export function picturesAddress(root: string | null, path: EncodedPath = ROOT_PATH, view: EncodedPath | null = null): string {
  if (root === null) return "/pictures/";
  const folder = `/pictures/${encodeURIComponent(root)}/${path}`;
  return view === null ? folder : `${folder}?view=${view}`;
}

/** The address of a picture among the results of a search. */
export function foundPictureAddress(root: string, path: EncodedPath, view: EncodedPath, query: string): string {
  return `${picturesAddress(root, path, view)}&${new URLSearchParams({ found: query }).toString()}`;
}

/** The address of a picture among those of an album. */
export function albumPictureAddress({ root, path }: FilePlace, album: string): string {
  return `${picturesAddress(root, parentPath(path) ?? ROOT_PATH, lastSegment(path))}&${new URLSearchParams({ album }).toString()}`;
}
