// The pieces in which the listing of a folder is fetched.
import type { FolderEntry } from "../../api/backend";
import type { NamedBytes } from "../../api/names";

export const PIECE = 1_000;
/** The fields that distinguish entries with the same name. */
const BESIDE_NAME = ["name_bytes", "folder", "folder_bytes"] as const;

/** Returns the pieces that contain a range of indices, the end excluded. */
export function piecesBetween(first: number, end: number): number[] {
  const pieces = [];
  for (let piece = Math.floor(first / PIECE); piece * PIECE < end; piece++) pieces.push(piece);
  return pieces;
}

/** Returns the index of an entry with this name in the available pieces: the nearest one to `near`. */
export function placeIn(pieces: Iterable<[piece: number, entries: readonly FolderEntry[]]>, named: NamedBytes, near: number): number | null {
  const isIt = (one: FolderEntry) => one.name === named.name && BESIDE_NAME.every((by) => (one[by] ?? null) === (named[by] ?? null));
  const distance = (piece: number) => Math.abs(piece - Math.floor(near / PIECE));
  const nearestFirst = [...pieces].sort(([a], [b]) => distance(a) - distance(b));
  for (const [piece, entries] of nearestFirst) {
    const at = entries.findIndex(isIt);
    if (at >= 0) return piece * PIECE + at;
  }
  return null;
}
