// Finds the next entry whose name starts with the typed text.
import { fold } from "../../i18n/fold";
import type { Listing } from "../listing/listing.svelte";
import { CHUNK_SIZE } from "../listing/chunks";
import { FolderChangedError } from "../listing/folder-changed-error";
import { displayName } from "../entries/display-name";

/** The number of chunks that are read at a time beyond the known ones. */
const AHEAD = 4;
/** The number of attempts if the folder changes meanwhile. */
const ATTEMPTS = 3;

export interface TypeAheadText {
  text: string;
  /** True if the text extends a previous one, so that the current entry may still match. */
  continues: boolean;
}

/**
 * Returns the index of the next match after `from`, wrapping around to `from` itself; null if there is none. Unread
 * entries are read, and a listing that is still growing is awaited.
 */
export async function nextMatch(listing: Listing, from: number, typed: TypeAheadText, signal: AbortSignal): Promise<number | null> {
  const letters = [...fold(typed.text)];
  // The same letter again goes to the next entry that starts with it.
  const isSame = letters.length > 1 && letters.every((letter) => letter === letters[0]);
  const wanted = isSame ? (letters[0] ?? "") : letters.join("");
  if (wanted === "") return null;
  const start = typed.continues && !isSame ? from : from + 1;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { reading } = listing;
    const found = (await search(listing, start, listing.total, wanted, signal)) ?? (await search(listing, 0, start, wanted, signal));
    if (signal.aborted) return null;
    if (found !== null) return found;
    if (listing.progress.isPartial) await listing.untilComplete(signal);
    else if (listing.reading === reading) return null;
  }
  throw new FolderChangedError();
}

async function search(listing: Listing, first: number, end: number, wanted: string, signal: AbortSignal): Promise<number | null> {
  const { reading } = listing;
  for (let at = first; at < end && !signal.aborted; ) {
    const next = Math.min(end, (Math.floor(at / CHUNK_SIZE) + 1) * CHUNK_SIZE);
    if (!listing.between(at, next)) await listing.entriesBetween(at, Math.min(end, at + AHEAD * CHUNK_SIZE), signal);
    const entries = listing.reading === reading ? listing.between(at, next) : null;
    if (!entries) return null;
    const offset = entries.findIndex(({ name }) => fold(displayName(name)).startsWith(wanted));
    if (offset >= 0) return at + offset;
    at = next;
  }
  return null;
}
