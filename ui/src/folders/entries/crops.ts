// The parts of pictures that their sidecars show. A crop is of the upright picture in the orientation of its file; the
// turn of the picture comes after it.
import type { Crop, FolderEntry } from "../../api/backend";
import type { Size } from "../../zoom/zoom";
import { fileSize, isSideways, NO_TURN, reversed, turnOf, withTurn } from "./turns";

/** The crop that shows all of a picture. */
export const WHOLE: Crop = { x: 0.5, y: 0.5, width: 1, height: 1, angle: 0 };

/** The difference below which two numbers are equal: more than the precision of the server. */
const SAME = 1e-6;

export function isSameCrop(one: Crop | null | undefined, other: Crop | null | undefined): boolean {
  const [a, b] = [one ?? WHOLE, other ?? WHOLE];
  return (["x", "y", "width", "height", "angle"] as const).every((key) => Math.abs(a[key] - b[key]) < SAME);
}

/** Returns a crop; null if it shows all of the picture. */
export function partOf(crop: Crop | null | undefined): Crop | null {
  return isSameCrop(crop, WHOLE) ? null : (crop ?? null);
}

/** True if the picture is not shown as its file has it. */
export function isEdited(entry: Pick<FolderEntry, "turn" | "crop">): boolean {
  return turnOf(entry) !== NO_TURN || Boolean(entry.crop);
}

/** Returns an entry as its file has the picture. */
export function asOriginal(entry: FolderEntry): FolderEntry {
  return withTurn(withCrop(entry, null), NO_TURN);
}

/** Returns an entry with another crop. */
export function withCrop(entry: FolderEntry, crop: Crop | null): FolderEntry {
  if (isSameCrop(entry.crop, crop)) return entry;
  const whole = fileSize(entry);
  const part = partOf(crop);
  if (whole === null) return { ...entry, crop: part };
  const { width, height } = part === null ? whole : croppedSize(whole, part);
  const sides = isSideways(turnOf(entry)) ? { width: height, height: width } : { width, height };
  return { ...entry, crop: part, ...sides };
}

/** Returns the size of a part in pixels. */
export function croppedSize({ width, height }: Size, crop: Crop): Size {
  return { width: Math.max(1, Math.round(width * crop.width)), height: Math.max(1, Math.round(height * crop.height)) };
}

/** Returns the crop of a turned picture that shows the same part. */
export function turnedCrop(crop: Crop, turn: number): Crop {
  let { x, y, width, height, angle } = crop;
  // As the numbers of EXIF combine a reflection with quarter turns.
  const [isMirrored, quarters] = [[2, 4, 5, 7].includes(turn), [0, 0, 2, 2, 3, 1, 1, 3][turn - 1] ?? 0];
  if (isMirrored) [x, angle] = [1 - x, angle === 0 ? 0 : -angle];
  for (let quarter = 0; quarter < quarters; quarter += 1) [x, y, width, height] = [1 - y, x, height, width];
  return { x, y, width, height, angle };
}

/** Returns the crop of an upright picture that a crop of the turned one shows. */
export function unturnedCrop(crop: Crop, turn: number): Crop {
  return turnedCrop(crop, reversed(turn));
}

/**
 * Returns the CSS of an upright picture of which a box shows a part, from the box's upper left corner: its size, the
 * transform, and the outline of the part.
 */
export function cropStyle(crop: Crop, box: Size): { size: Size; transform: string; clipPath: string } {
  const size = { width: box.width / crop.width, height: box.height / crop.height };
  const [x, y] = [crop.x * size.width, crop.y * size.height];
  const radians = (crop.angle * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  const places = corners.map(([across, down]) => {
    const [u, v] = [(across * box.width) / 2, (down * box.height) / 2];
    return `${percent((x + u * cos - v * sin) / size.width)} ${percent((y + u * sin + v * cos) / size.height)}`;
  });
  return {
    size,
    transform: `translate(${box.width / 2}px, ${box.height / 2}px) rotate(${-crop.angle}deg) translate(${-x}px, ${-y}px)`,
    clipPath: `polygon(${places.join(", ")})`,
  };
}

function percent(part: number): string {
  return `${Number((part * 100).toFixed(4))}%`;
}
