// The contents of a fence of the language `gallery`: the folder and its options.
import type { Root } from "../../api/backend";
import { encodePath, type EncodedPath, readableSegment, segmentsOf, pathFields } from "../../api/names";
import { BOX_OPTIONS, type BoxOptions, type OptionFault, readBox } from "./box-options";

export interface GalleryOptions extends BoxOptions {
  /** The folder as written: an absolute path, or one that starts with the name of an open folder. */
  folder: string;
  filter?: string;
  /** The minimum rating, `1` to `5`. */
  rating?: string;
  /** The tag of the pictures, or an ancestor of their tag. */
  tag?: string;
}

export type GalleryFault = { kind: "no folder" } | OptionFault;

const OWN = ["folder", "filter", "rating", "tag"];
/** The names of all options. */
export const GALLERY_OPTIONS: readonly string[] = [...OWN, ...BOX_OPTIONS];

export function readGallery(source: string): GalleryOptions | GalleryFault {
  const read = readBox(source, OWN);
  if (isFault(read)) return read;
  return read["folder"] ? (read as unknown as GalleryOptions) : { kind: "no folder" };
}

export function isFault<Options extends object, Fault extends { kind: string }>(read: Options | Fault): read is Fault {
  return "kind" in read;
}

/** Returns the path of the folder within the innermost open folder that contains it; null if none does. */
export function placeOfFolder(folder: string, roots: readonly Root[]): { root: Root; path: EncodedPath } | null {
  const segments = folder.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return null;
  if (!folder.startsWith("/")) {
    const root = roots.find(({ name }) => name === segments[0]);
    return root === undefined ? null : { root, path: encodePath(segments.slice(1).join("/")) };
  }
  const whole = `/${segments.join("/")}`;
  const withSlash = (path: string) => (path === "/" ? path : `${path}/`);
  const [root] = roots
    .filter(({ path }) => whole === path || whole.startsWith(withSlash(path)))
    .sort((one, other) => other.path.length - one.path.length);
  return root === undefined ? null : { root, path: encodePath(whole.slice(root.path.length)) };
}

/** Returns the fence that shows a folder; null if its path is not text, or does not fit on a line. */
export function galleryFence(root: Root, path: EncodedPath): string | null {
  const isText = !root.path_bytes && segmentsOf(path).every((segment) => "path" in pathFields(segment));
  const folder = [root.path === "/" ? "" : root.path, ...segmentsOf(path).map(readableSegment)].join("/") || "/";
  const isLine = folder === folder.trim() && !/[\n\r\u2028\u2029]/.test(folder);
  return isText && isLine ? `\`\`\`gallery\nfolder: ${folder}\n\`\`\`\n` : null;
}
