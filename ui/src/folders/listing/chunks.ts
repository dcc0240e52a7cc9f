// The chunks in which the listing of a folder is fetched.
import type { FolderEntry } from "../../api/backend";
import type { NamedBytes } from "../../api/names";

export const CHUNK_SIZE = 1_000;
/** The fields that distinguish entries with the same name. */
const DISTINGUISHING_FIELDS = ["name_bytes", "folder", "folder_bytes"] as const;

/** Returns the chunks that contain a range of indices, the end excluded. */
export function chunksBetween(first: number, end: number): number[] {
  const chunks = [];
  for (let chunk = Math.floor(first / CHUNK_SIZE); chunk * CHUNK_SIZE < end; chunk++) chunks.push(chunk);
  return chunks;
}

/** Returns the index of an entry with this name in the available chunks: the nearest one to `near`. */
export function indexIn(chunks: Iterable<[chunk: number, entries: readonly FolderEntry[]]>, named: NamedBytes, near: number): number | null {
  const isIt = (one: FolderEntry) => one.name === named.name && DISTINGUISHING_FIELDS.every((by) => (one[by] ?? null) === (named[by] ?? null));
  const distance = (chunk: number) => Math.abs(chunk - Math.floor(near / CHUNK_SIZE));
  const nearestFirst = [...chunks].sort(([a], [b]) => distance(a) - distance(b));
  for (const [chunk, entries] of nearestFirst) {
    const at = entries.findIndex(isIt);
    if (at >= 0) return chunk * CHUNK_SIZE + at;
  }
  return null;
}
