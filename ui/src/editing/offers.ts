// Unsaved text that the journal holds for a page: what of it is worth offering.
import type { JournalEntry } from "../api/backend";

/** Newest first; what is the same as the page's own text has nothing to offer. */
export function offersOf(entries: readonly JournalEntry[], pageText: string): JournalEntry[] {
  return entries
    .filter((entry) => entry.source !== pageText && entry.source.trim() !== "")
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
}
