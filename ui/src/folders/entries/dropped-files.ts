// Drops on folders, of the tree or shown: of pictures that the page drags, and of files of other programs. The view of
// the folder moves or copies them, with its messages, its questions and its undo.
import type { Attachment } from "svelte/attachments";
import type { FilePlace, FilesDropped, FolderEntry, GrantedFile } from "../../api/backend";
import { PICTURES_TYPE, type TransferredPicture } from "../../editing/files/picture-transfer";
import { type EncodedPath, lastSegment, parentPath, pathFields, readableSegment, ROOT_PATH } from "../../api/names";
import { isMac } from "../../keys";
import type { EntrySet, NamedFolder } from "./folder-place";

type DropEffect = "move" | "copy";

interface DropHandler {
  pictures: (how: DropEffect, files: EntrySet, to: NamedFolder) => void;
  files: (how: DropEffect, files: readonly GrantedFile[], to: NamedFolder) => void;
}

/** Returns the folder that an element of the page stands for; null if there is none. */
type FolderAt = (at: Element) => NamedFolder | null;

const handlers: DropHandler[] = [];
const targets: FolderAt[] = [];

/** Handles the drops as long as a folder is shown. Returns a function that ends it. */
export function handleDrops(handler: DropHandler): () => void {
  handlers.push(handler);
  return () => void handlers.splice(handlers.indexOf(handler), 1);
}

/** Attaches to an element with folders into which files of other programs go: `{@attach fileTarget(folderAt)}`. */
export function fileTarget(folderAt: FolderAt): Attachment<HTMLElement> {
  return (element) => {
    const target: FolderAt = (at) => (element.contains(at) ? folderAt(at) : null);
    targets.push(target);
    return () => void targets.splice(targets.indexOf(target), 1);
  };
}

/**
 * Returns the effect of a drop on a folder; null if it accepts nothing. Pictures of the page are moved, and copied with
 * Ctrl (⌥ on a Mac). Files of other programs are copied, and moved with Shift; only the window gets them.
 */
export function dropEffect({ dataTransfer, ctrlKey, altKey }: DragEvent, isWindow: boolean): DropEffect | null {
  if (dataTransfer === null) return null;
  const { types, effectAllowed } = dataTransfer;
  if (types.includes(PICTURES_TYPE)) {
    // A key leaves only its own effect. The window's engine does not report the keys of a drag themselves.
    if (effectAllowed === "copy") return "copy";
    return !isWindow && (isMac() ? altKey : ctrlKey) ? "copy" : "move";
  }
  if (!isWindow || !types.includes("text/uri-list")) return null;
  return effectAllowed === "move" ? "move" : "copy";
}

/** Moves or copies pictures of one root; false if no folder is shown. */
export function dropPictures(how: DropEffect, pictures: readonly TransferredPicture[], to: NamedFolder): boolean {
  const handler = handlers.at(-1);
  const [first] = pictures;
  if (!handler || !first) return false;
  const entries = pictures.filter(({ root }) => root === first.root).map(entryOf);
  handler.pictures(how, { folder: { root: first.root, path: ROOT_PATH }, entries }, to);
  return true;
}

/** Moves or copies files of other programs into the folder on which they were dropped; false if there is none. */
export function receiveFiles({ grants, x, y, moves }: FilesDropped): boolean {
  const handler = handlers.at(-1);
  if (!handler) return false;
  const at = document.elementFromPoint(x, y);
  if (at === null) return false;
  for (const target of targets) {
    const to = target(at);
    if (to === null) continue;
    handler.files(moves ? "move" : "copy", grants, to);
    return true;
  }
  return false;
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
