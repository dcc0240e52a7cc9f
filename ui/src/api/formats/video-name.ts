// Videos by their names.
import { PICTURE_FORMATS } from "virtual:picture-formats";

const EXTENSIONS = new Set(PICTURE_FORMATS.filter(({ filter }) => filter === "video").flatMap(({ extensions }) => extensions));

/** True if a file is a video by its name. */
export function isVideoName(name: string): boolean {
  return EXTENSIONS.has(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
}
