// The files of a picture that has several: a raw file with its JPEG, or the parts of a Live Photo.
import type { FolderCompanion, FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";

export function companionsOf({ companions }: FolderEntry): readonly FolderCompanion[] {
  return companions ?? [];
}

/** Returns a companion in place of the shown file of its picture, with the marks of the picture. */
function asShown(picture: FolderEntry, { name, name_bytes, kind, size, mtime, id, version, width, height, orientation, turn, crop, taken, video, duration, state }: FolderCompanion): FolderEntry {
  const { folder, folder_bytes, rating, tags, caption, companions } = picture;
  return { folder, folder_bytes, name, name_bytes, kind, size, mtime, id, version, width, height, orientation, turn, crop, taken, video, duration, state, rating, tags, caption, companions };
}

/** Returns the files of a picture that can be viewed, the shown one first. */
export function viewableFiles(picture: FolderEntry): FolderEntry[] {
  const others = companionsOf(picture).filter(({ kind }) => kind === "picture");
  return [picture, ...others.map((companion) => asShown(picture, companion))];
}

/** Returns the file of a picture with this name; undefined if it has none. */
export function fileNamed(picture: FolderEntry, name: EncodedPath): FolderEntry | undefined {
  if (encodeName(picture) === name) return picture;
  if (!picture.companions) return undefined;
  return viewableFiles(picture).find((file) => encodeName(file) === name);
}

/** Returns the file after this one, in a circle; null if the picture has no other. */
export function nextFile(picture: FolderEntry, current: FolderEntry): FolderEntry | null {
  const files = viewableFiles(picture);
  const at = files.findIndex((file) => encodeName(file) === encodeName(current));
  return files.length < 2 ? null : (files[(at + 1) % files.length] ?? null);
}
