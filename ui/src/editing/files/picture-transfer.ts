// Pictures of folders on their way into a page: dragged, also from one window to another, or passed from the pictures
// view to the editor.
import type { FilePlace } from "../../api/backend";
import { canonicalPath } from "../../api/names";

/** A picture of an open folder. */
export interface TransferredPicture extends FilePlace {
  /** The displayed name. */
  name: string;
}

/** The type that identifies a drag of pictures, including before the drop. */
export const PICTURES_TYPE = "application/x-fumikura-pictures";

export function writePictures(data: DataTransfer, pictures: readonly TransferredPicture[]): void {
  // A folder of the tree moves them.
  data.effectAllowed = "copyMove";
  if (pictures.length === 0) return;
  data.setData(PICTURES_TYPE, JSON.stringify(pictures));
  // For other programs, and for fields that do not accept pictures.
  data.setData("text/plain", pictures.map(({ name }) => name).join("\n"));
}

/** Adds a link to a file, for other programs, and returns it. The window replaces it by the files. */
export function writeLink(data: DataTransfer, url: string, name: string): string {
  const link = new URL(url, location.href).href;
  data.setData("text/uri-list", link);
  // Chromium saves the file where the drag ends.
  data.setData("DownloadURL", `application/octet-stream:${name}:${link}`);
  return link;
}

/** Empty if something else is dragged, or if another program uses our type for other data. */
export function readPictures(data: DataTransfer | null): TransferredPicture[] {
  const text = data?.getData(PICTURES_TYPE) ?? "";
  if (text === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.flatMap(pictureOf) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function pictureOf(value: unknown): TransferredPicture[] {
  if (typeof value !== "object" || value === null) return [];
  const { root, path, name } = value as Partial<Record<keyof TransferredPicture, unknown>>;
  const isPicture = typeof root === "string" && typeof path === "string" && typeof name === "string";
  return isPicture ? [{ root, path: canonicalPath(path), name }] : [];
}

/** The pictures for a page whose editor is about to open. */
let waiting: { pageId: string; pictures: readonly TransferredPicture[] } | null = null;

/**
 * Passes pictures to the editor of the page, which takes them when it opens; returns a function that withdraws them.
 */
export function passPictures(pageId: string, pictures: readonly TransferredPicture[]): () => void {
  const transfer = (waiting = { pageId, pictures });
  return () => {
    if (waiting === transfer) waiting = null;
  };
}

/** Returns the pictures for the page, once. */
export function takePassedPictures(pageId: string): readonly TransferredPicture[] {
  if (waiting?.pageId !== pageId) return [];
  const { pictures } = waiting;
  waiting = null;
  return pictures;
}
