// The names of files that are shown as pictures.
import { PICTURE_FORMATS } from "virtual:picture-formats";
import { partsOfName } from "./file-extension";

const EXTENSIONS = new Set<string>(PICTURE_FORMATS.flatMap(({ extensions }) => [...extensions]).map((extension) => `.${extension}`));

/** True for the name or path of a file that is a picture by its extension. */
export function isPictureName(path: string): boolean {
  return EXTENSIONS.has(partsOfName(path.slice(path.lastIndexOf("/") + 1)).extension.toLowerCase());
}
