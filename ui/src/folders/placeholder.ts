// What stands for a picture until its thumbnail comes: where it lies in its square place, and how it is turned.
import type { FolderEntry } from "../api/backend";

/** A place that has the shape of the picture, as CSS. */
export interface Shape {
  width: string;
  aspectRatio: string;
}

/** Where the thumbnail will lie: as large as fits, and no larger than the picture. None where that is not known. */
export function shapeOf({ width, height }: Pick<FolderEntry, "width" | "height">): Shape | null {
  if (!width || !height) return null;
  const share = (100 * width) / Math.max(width, height);
  return { width: `min(${share}%, ${width}px)`, aspectRatio: `${width} / ${height}` };
}

/** The CSS transform that shows upright what EXIF says is stored otherwise. */
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

/** Whether what is stored lies on its side. */
export function isSideways(orientation: FolderEntry["orientation"]): boolean {
  return (orientation ?? 1) >= 5;
}

/** The bytes of a ThumbHash as the server writes them; none if it is none. */
export function hashBytes(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
