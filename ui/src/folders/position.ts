// Which picture of its folder one is: the first, the second … Folders and other files stand between them, and not all of
// a large folder has been read.
import type { FolderEntry } from "../api/backend";

/** What is known of a folder. */
export interface KnownEntries {
  total: number;
  pictures: number;
  /** Undefined where it has not been read. */
  at(index: number): Pick<FolderEntry, "kind"> | undefined;
}

interface Tally {
  pictures: number;
  others: number;
  unread: number;
}

/** From 1; null where what has not been read may hold both pictures and others. */
export function placeAmongPictures(known: KnownEntries, index: number): number | null {
  const before = tally(known, 0, index + 1);
  if (before.unread === 0) return before.pictures;
  const after = tally(known, index + 1, known.total);
  if (after.unread === 0) return known.pictures - after.pictures;
  // All that are no pictures have been seen: the rest are.
  const isAllSeen = before.others + after.others === known.total - known.pictures;
  return isAllSeen ? index + 1 - before.others : null;
}

function tally(known: KnownEntries, first: number, end: number): Tally {
  const found: Tally = { pictures: 0, others: 0, unread: 0 };
  for (let index = first; index < end; index += 1) {
    const entry = known.at(index);
    if (entry === undefined) found.unread += 1;
    else if (entry.kind === "picture") found.pictures += 1;
    else found.others += 1;
  }
  return found;
}
