// Folders and entries by their places: the id of a root, and a path below it.
import { ownPlace, pathInResults, SEARCH_ROOT } from "../../api/addresses/found-address";
import type { FilePlace, FolderEntry } from "../../api/backend";
import { encodePathFields, type EncodedPath, joinPath, pathFields, pathFrom, ROOT_PATH } from "../../api/names";

/** A folder with its display name, as the target of files. */
export interface NamedFolder extends FilePlace {
  name: string;
}

/** Entries of a folder, independent of later navigation. */
export interface EntrySet {
  folder: FilePlace;
  entries: readonly FolderEntry[];
}

/** Returns the id of a folder among all folders, which is that of its row in a tree. */
export function folderId({ root, path }: FilePlace): string {
  return `${root}/${path}`;
}

/** Returns the folder of an id. */
export function folderOfId(id: string): FilePlace {
  const cut = id.indexOf("/");
  return { root: id.slice(0, cut), path: id.slice(cut + 1) as EncodedPath };
}

export function isSamePlace(one: FilePlace, other: FilePlace): boolean {
  return one.root === other.root && one.path === other.path;
}

/** Returns the place of an entry of a folder. */
export function placeOfEntry({ root, path }: FilePlace, entry: FolderEntry): FilePlace {
  return ownPlace({ root, path: joinPath(path, entry) });
}

/** Returns the name that a file has in a folder which contains it at any depth, or among the results of a search. */
export function nameInFolder(folder: FilePlace, file: FilePlace): EncodedPath {
  return folder.root === SEARCH_ROOT ? pathInResults(file) : pathFrom(folder.path, file.path);
}

/** Returns an entry, with a folder relative to its root, as one among the results of a search. */
export function amongResults(root: string, entry: FolderEntry): FolderEntry {
  const { folder, folder_bytes } = entry;
  const path = pathInResults({ root, path: folder ? encodePathFields(folder, folder_bytes) : ROOT_PATH });
  const fields = pathFields(path);
  return { ...entry, folder: folder ? `${root}/${folder}` : root, folder_bytes: "path_bytes" in fields ? fields.path_bytes : null };
}
