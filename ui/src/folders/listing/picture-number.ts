// The number of a picture in its folder: the first, the second … Folders and other files are among the pictures, and a
// large folder is only partly read.
import type { FolderEntry } from "../../api/backend";

/** The known part of a folder. */
export interface KnownEntries {
  total: number;
  pictures: number;
  /** Undefined if the entry was not read. */
  at(index: number): Pick<FolderEntry, "kind"> | undefined;
}

interface Tally {
  pictures: number;
  others: number;
  unread: number;
}

/** Returns the number of the picture, from 1; null if the unread entries may contain both pictures and others. */
export function pictureNumber(known: KnownEntries, index: number): number | null {
  const before = tally(known, 0, index + 1);
  if (before.unread === 0) return before.pictures;
  const after = tally(known, index + 1, known.total);
  if (after.unread === 0) return known.pictures - after.pictures;
  // All entries that are not pictures were read: the rest are pictures.
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
