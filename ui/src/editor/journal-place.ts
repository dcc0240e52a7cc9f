// Where an editing keeps its unsaved text, so that it never writes over one that is on offer.
import type { JournalEntry } from "../api/backend";

export interface JournalPlace {
  /** Under which tab this editing writes into the journal. */
  tab: string;
  /** The highest number that is in use there. */
  seq: number;
}

/**
 * Where this editing keeps its unsaved text. The entry of an earlier editing in this tab has the same place;
 * while it is on offer nothing may be written over it, so this editing takes a place of its own.
 */
export function journalPlace(
  entries: readonly JournalEntry[],
  offers: readonly JournalEntry[],
  pageId: string,
  tabId: string,
  newId: () => string,
): JournalPlace {
  const isOwn = (entry: JournalEntry) => entry.page_id === pageId && entry.tab === tabId;
  if (offers.some(isOwn)) return { tab: newId(), seq: 0 };
  return { tab: tabId, seq: entries.find(isOwn)?.seq ?? 0 };
}
