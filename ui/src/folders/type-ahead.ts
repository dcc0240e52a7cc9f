// From one entry to the next whose name begins with what is typed.
import { fold } from "../i18n/fold";
import type { Listing } from "./listing.svelte";
import { PIECE } from "./pieces";
import { FolderChanged } from "./selection.svelte";
import { shownName } from "./shown-name";

/** Letters alone are the room's keys: this one says that a name follows. */
export const GO_TO_KEY = "'";

/** So many pieces are read at a time where one looks further than has been read. */
const AHEAD = 4;
/** So often one looks anew where the folder becomes another one meanwhile. */
const ATTEMPTS = 3;

export interface Typed {
  text: string;
  /** Whether it was typed on to what has been found: that may be it still. */
  continues: boolean;
}

/** Its place, from the one after `from` around to that itself; null where there is none. What was not read yet is read, and waited for where it is still being named. */
export async function nextBeginning(listing: Listing, from: number, typed: Typed, signal: AbortSignal): Promise<number | null> {
  const letters = [...fold(typed.text)];
  // The same letter again: to the next of those that begin with it.
  const isSame = letters.length > 1 && letters.every((letter) => letter === letters[0]);
  const wanted = isSame ? (letters[0] ?? "") : letters.join("");
  if (wanted === "") return null;
  const start = typed.continues && !isSame ? from : from + 1;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { reading } = listing;
    const found = (await search(listing, start, listing.total, wanted, signal)) ?? (await search(listing, 0, start, wanted, signal));
    if (signal.aborted) return null;
    if (found !== null) return found;
    if (listing.growth.isGoingOn) await listing.allNamed(signal);
    else if (listing.reading === reading) return null;
  }
  throw new FolderChanged();
}

async function search(listing: Listing, first: number, end: number, wanted: string, signal: AbortSignal): Promise<number | null> {
  const { reading } = listing;
  for (let at = first; at < end && !signal.aborted; ) {
    const next = Math.min(end, (Math.floor(at / PIECE) + 1) * PIECE);
    if (!listing.between(at, next)) await listing.entriesBetween(at, Math.min(end, at + AHEAD * PIECE), signal);
    const entries = listing.reading === reading ? listing.between(at, next) : null;
    if (!entries) return null;
    const found = entries.findIndex(({ name }) => fold(shownName(name)).startsWith(wanted));
    if (found >= 0) return at + found;
    at = next;
  }
  return null;
}
