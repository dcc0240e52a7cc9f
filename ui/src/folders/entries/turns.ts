// The rotations and reflections of pictures that their sidecars state. Each is numbered as the EXIF orientation with the
// same effect: 1 changes nothing.
import type { FolderEntry } from "../../api/backend";
import type { Size } from "../../zoom/zoom";

export const NO_TURN = 1;
export const FLIP_ACROSS = 2;
export const FLIP_DOWN = 4;
export const TURN_RIGHT = 6;
export const TURN_LEFT = 8;

/** A reflection, left to right, and then quarter turns to the right. */
type Parts = readonly [isMirrored: boolean, quarters: number];

/** The parts of the turns 1 to 8. */
const PARTS: readonly Parts[] = [
  [false, 0],
  [true, 0],
  [false, 2],
  [true, 2],
  [true, 3],
  [false, 1],
  [true, 1],
  [false, 3],
];

const partsOf = (turn: number): Parts => PARTS[turn - 1] ?? [false, 0];

function numberOf(isMirrored: boolean, quarters: number): number {
  const wanted = ((quarters % 4) + 4) % 4;
  return PARTS.findIndex(([mirrored, turns]) => mirrored === isMirrored && turns === wanted) + 1;
}

/** Returns the turn that has the effect of one followed by another. */
export function combined(first: number, next: number): number {
  const [[isMirrored, quarters], [mirrors, turns]] = [partsOf(first), partsOf(next)];
  // A reflection reverses the direction of the rotation before it.
  return numberOf(isMirrored !== mirrors, (mirrors ? -quarters : quarters) + turns);
}

/** Returns the turn that reverts another. */
export function reversed(turn: number): number {
  const [isMirrored, quarters] = partsOf(turn);
  return numberOf(isMirrored, isMirrored ? quarters : -quarters);
}

/** Returns the turn from the orientation of a file to the one that its sidecar states, if it states one. */
export function turnBetween(own: number, stated: number | null | undefined): number {
  return stated ? combined(reversed(own), stated) : NO_TURN;
}

/** True if width and height change places. */
export function isSideways(turn: number): boolean {
  return partsOf(turn)[1] % 2 === 1;
}

/** True if the pixels of a file are upright, as far as is known. */
export function isUpright({ orientation }: Pick<FolderEntry, "orientation">): boolean {
  return (orientation ?? NO_TURN) === NO_TURN;
}

/** Returns the size of a picture before its turn and without its crop; null if it is unknown. */
export function fileSize({ width, height, turn, crop }: Pick<FolderEntry, "width" | "height" | "turn" | "crop">): Size | null {
  if (!width || !height) return null;
  const part = isSideways(turn ?? NO_TURN) ? { width: height, height: width } : { width, height };
  return crop ? { width: Math.round(part.width / crop.width), height: Math.round(part.height / crop.height) } : part;
}

export function turnOf({ turn }: Pick<FolderEntry, "turn">): number {
  return turn ?? NO_TURN;
}

/** Returns an entry with another turn. */
export function withTurn(entry: FolderEntry, turn: number): FolderEntry {
  const before = turnOf(entry);
  if (turn === before) return entry;
  const isSwapped = isSideways(turn) !== isSideways(before);
  const { width, height } = entry;
  return { ...entry, turn: turn === NO_TURN ? null : turn, ...(isSwapped ? { width: height, height: width } : {}) };
}

/** Returns the CSS transform of an upright picture into a box of the turned one, from its upper left corner. */
export function turnTransform(turn: number, { width, height }: Size): string {
  const matrices: Partial<Record<number, readonly number[]>> = {
    2: [-1, 0, 0, 1, width, 0],
    3: [-1, 0, 0, -1, width, height],
    4: [1, 0, 0, -1, 0, height],
    5: [0, 1, 1, 0, 0, 0],
    6: [0, 1, -1, 0, width, 0],
    7: [0, -1, -1, 0, width, height],
    8: [0, -1, 1, 0, 0, height],
  };
  const matrix = matrices[turn];
  return matrix ? `matrix(${matrix.join(", ")})` : "";
}
