// The id of a folder among all folders: that of its row in a tree.
import type { EncodedPath } from "../../api/names";

export function idOf(root: string, path: EncodedPath): string {
  return `${root}/${path}`;
}

export function placeOf(id: string): { root: string; path: EncodedPath } {
  const cut = id.indexOf("/");
  return { root: id.slice(0, cut), path: id.slice(cut + 1) as EncodedPath };
}
