// The contents of a fence of the language `gallery`: the folder and its options. Values are data, never HTML.
import type { Root, SortKey, SortOrder } from "../../api/backend";
import { encodePath, type EncodedPath, readableSegment, segmentsOf, pathFields } from "../../api/names";

export interface GalleryOptions {
  /** The folder as written: an absolute path, or one that starts with the name of an open folder. */
  folder: string;
  sort?: SortKey;
  order?: SortOrder;
  filter?: string;
  /** The minimum rating, `1` to `5`. */
  rating?: string;
  /** The tag of the pictures, or an ancestor of their tag. */
  tag?: string;
  /** The maximum number of pictures. */
  limit: number;
  /** The number of rows that fit into the box; further ones are scrolled to. */
  rows: number;
  /** The side of a picture's square, in pixels. */
  size: number;
}

export type GalleryFault =
  | { kind: "no folder" }
  | { kind: "no option"; name: string }
  | { kind: "bad value"; name: string; value: string };

const SORTS: readonly string[] = ["name", "taken", "modified", "size", "type"] satisfies SortKey[];
const ORDERS: readonly string[] = ["asc", "desc"] satisfies SortOrder[];
const NUMBERS: Readonly<Record<string, { least: number; most: number }>> = {
  limit: { least: 1, most: 500 },
  rows: { least: 1, most: 10 },
  size: { least: 48, most: 512 },
};
const USUAL = { limit: 60, rows: 2, size: 160 };

export function readGallery(source: string): GalleryOptions | GalleryFault {
  const values = new Map<string, string>();
  for (const line of source.split("\n")) {
    if (line.trim() === "") continue;
    const [, name = line.trim(), value = ""] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    const fault = faultOf(name, value);
    if (fault !== null) return fault;
    values.set(name, value);
  }
  const { folder, ...others } = Object.fromEntries(values);
  if (folder === undefined || folder === "") return { kind: "no folder" };
  const numbers = Object.entries(USUAL).map(([name, usual]) => [name, Number(others[name] ?? usual)]);
  // `faultOf` has validated every field.
  return { ...others, ...Object.fromEntries(numbers), folder } as GalleryOptions;
}

export function isFault(read: GalleryOptions | GalleryFault): read is GalleryFault {
  return "kind" in read;
}

function faultOf(name: string, value: string): GalleryFault | null {
  const bad: GalleryFault = { kind: "bad value", name, value };
  if (["folder", "filter", "tag"].includes(name)) return null;
  if (name === "rating") return /^[1-5]$/.test(value) ? null : bad;
  if (name === "sort") return SORTS.includes(value) ? null : bad;
  if (name === "order") return ORDERS.includes(value) ? null : bad;
  const range = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
  if (range === undefined) return { kind: "no option", name };
  return /^\d{1,4}$/.test(value) && Number(value) >= range.least && Number(value) <= range.most ? null : bad;
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
