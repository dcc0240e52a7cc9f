// Pictures that are dropped on a folder of the tree: the view of the folder moves or copies them, with its messages, its
// questions and its undo.
import type { FilePlace, FolderEntry } from "../../api/backend";
import { PICTURES_TYPE, type TransferredPicture } from "../../editing/files/picture-transfer";
import { type EncodedPath, lastSegment, parentPath, pathFields, readableSegment, ROOT_PATH } from "../../api/names";
import { isMac } from "../../keys";
import type { EntrySet, NamedFolder } from "./folder-place";

type DropEffect = "move" | "copy";
type Handler = (how: DropEffect, files: EntrySet, to: NamedFolder) => void;

const handlers: Handler[] = [];

/** Handles the drops as long as a folder is shown. Returns a function that ends it. */
export function handleDrops(handler: Handler): () => void {
  handlers.push(handler);
  return () => void handlers.splice(handlers.indexOf(handler), 1);
}

/** Returns the effect of a drop on a folder: pictures are moved, and copied with Ctrl (⌥ on a Mac). Null for other data. */
export function dropEffect({ dataTransfer, ctrlKey, altKey }: DragEvent, isWindow: boolean): DropEffect | null {
  if (dataTransfer?.types.includes(PICTURES_TYPE) !== true) return null;
  // A key leaves only its own effect. The window's engine does not report the keys of a drag themselves.
  if (dataTransfer.effectAllowed === "copy") return "copy";
  return !isWindow && (isMac() ? altKey : ctrlKey) ? "copy" : "move";
}

/** Moves or copies pictures of one root; false if no folder is shown. */
export function dropPictures(how: DropEffect, pictures: readonly TransferredPicture[], to: NamedFolder): boolean {
  const handler = handlers.at(-1);
  const [first] = pictures;
  if (!handler || !first) return false;
  const entries = pictures.filter(({ root }) => root === first.root).map(entryOf);
  handler(how, { folder: { root: first.root, path: ROOT_PATH }, entries }, to);
  return true;
}

/** Returns the entry of a picture as in a listing of its root with everything below. */
function entryOf({ path, name }: FilePlace & { name: string }): FolderEntry {
  const parent = parentPath(path) ?? ROOT_PATH;
  return { ...named(lastSegment(path), name), ...within(parent), kind: "picture", size: 0, mtime: "" };
}

function named(segment: EncodedPath, name: string): Pick<FolderEntry, "name" | "name_bytes"> {
  const fields = pathFields(segment);
  return "path_bytes" in fields ? { name: readableSegment(segment) || name, name_bytes: fields.path_bytes } : { name: fields.path };
}

function within(parent: EncodedPath): Pick<FolderEntry, "folder" | "folder_bytes"> {
  if (parent === "") return {};
  const fields = pathFields(parent);
  return "path_bytes" in fields ? { folder: parent, folder_bytes: fields.path_bytes } : { folder: fields.path };
}
