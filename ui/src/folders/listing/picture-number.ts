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
export function pictureNumber(entries: KnownEntries, index: number): number | null {
  const before = tally(entries, 0, index + 1);
  if (before.unread === 0) return before.pictures;
  const after = tally(entries, index + 1, entries.total);
  if (after.unread === 0) return entries.pictures - after.pictures;
  // All entries that are not pictures were read: the rest are pictures.
  const isAllSeen = before.others + after.others === entries.total - entries.pictures;
  return isAllSeen ? index + 1 - before.others : null;
}

function tally(entries: KnownEntries, first: number, end: number): Tally {
  const result: Tally = { pictures: 0, others: 0, unread: 0 };
  for (let index = first; index < end; index += 1) {
    const entry = entries.at(index);
    if (entry === undefined) result.unread += 1;
    else if (entry.kind === "picture") result.pictures += 1;
    else result.others += 1;
  }
  return result;
}
