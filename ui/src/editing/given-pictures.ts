// Pictures of folders on their way into a page: dragged, also from one window to another, or handed on from the room of
// the pictures to the editor.
import type { FilePlace } from "../api/backend";
import { canonicalPath } from "../api/names";

/** A picture of an open folder. */
export interface GivenPicture extends FilePlace {
  /** As it is shown. */
  name: string;
}

/** What a drag of pictures is known by, before it is dropped too. */
export const PICTURES_TYPE = "application/x-fumikura-pictures";

export function writePictures(data: DataTransfer, pictures: readonly GivenPicture[]): void {
  data.effectAllowed = "copy";
  data.setData(PICTURES_TYPE, JSON.stringify(pictures));
  // What other programs, and fields that know nothing of pictures, take.
  data.setData("text/plain", pictures.map(({ name }) => name).join("\n"));
}

/** None where something else is dragged. What another program puts there under our name is none either. */
export function readPictures(data: DataTransfer | null): GivenPicture[] {
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

function pictureOf(value: unknown): GivenPicture[] {
  if (typeof value !== "object" || value === null) return [];
  const { root, path, name } = value as Partial<Record<keyof GivenPicture, unknown>>;
  const isPicture = typeof root === "string" && typeof path === "string" && typeof name === "string";
  return isPicture ? [{ root, path: canonicalPath(path), name }] : [];
}

/** What waits for the editor of a page to open. */
let waiting: { pageId: string; pictures: readonly GivenPicture[] } | null = null;

/** The editor of the page takes them when it opens; returns how to take them back. */
export function handOn(pageId: string, pictures: readonly GivenPicture[]): () => void {
  const given = (waiting = { pageId, pictures });
  return () => {
    if (waiting === given) waiting = null;
  };
}

/** What was handed on to the page, once. */
export function takeHandedOn(pageId: string): readonly GivenPicture[] {
  if (waiting?.pageId !== pageId) return [];
  const { pictures } = waiting;
  waiting = null;
  return pictures;
}
