// The pieces in which the listing of a folder is fetched.

export const PIECE = 1_000;

/** Those that hold the places from the first one on, the last one excluded. */
export function piecesBetween(first: number, end: number): number[] {
  const pieces = [];
  for (let piece = Math.floor(first / PIECE); piece * PIECE < end; piece++) pieces.push(piece);
  return pieces;
}
