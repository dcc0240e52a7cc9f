// The placeholder of a picture until its thumbnail loads: its position in the square, and its rotation.
import type { FolderEntry } from "../../api/backend";

/** A box with the shape of the picture, as CSS. */
export interface Shape {
  width: string;
  aspectRatio: string;
}

/**
 * Returns the box of the future thumbnail: as large as fits, and not larger than the picture; null if its size is
 * unknown.
 */
export function shapeOf({ width, height }: Pick<FolderEntry, "width" | "height">): Shape | null {
  if (!width || !height) return null;
  const share = (100 * width) / Math.max(width, height);
  return { width: `min(${share}%, ${width}px)`, aspectRatio: `${width} / ${height}` };
}

/** The CSS transforms that turn stored pictures upright, by EXIF orientation. */
const TURNS: Partial<Record<number, string>> = {
  2: "scaleX(-1)",
  3: "rotate(180deg)",
  4: "scaleY(-1)",
  5: "rotate(270deg) scaleX(-1)",
  6: "rotate(90deg)",
  7: "rotate(90deg) scaleX(-1)",
  8: "rotate(270deg)",
};

export function turnOf(orientation: FolderEntry["orientation"]): string {
  return TURNS[orientation ?? 1] ?? "none";
}

/** True if the stored picture is rotated by a quarter turn. */
export function isSideways(orientation: FolderEntry["orientation"]): boolean {
  return (orientation ?? 1) >= 5;
}

/** Decodes the bytes of a ThumbHash as the server sends them; null if they are invalid. */
export function hashBytes(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
