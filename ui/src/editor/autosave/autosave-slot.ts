// The place of a session's autosave entry, chosen so that it never overwrites an entry on offer.
import type { AutosaveEntry } from "../../api/backend";

export interface AutosaveSlot {
  /** The tab id under which this session writes its autosave entries. */
  tab: string;
  /** The highest sequence number in use there. */
  seq: number;
}

/**
 * Chooses the place of this session's autosave entry. The entry of an earlier session in this tab has the same place;
 * while it is on offer it must not be overwritten, so this session takes a place of its own.
 */
export function autosaveSlot(
  entries: readonly AutosaveEntry[],
  offers: readonly AutosaveEntry[],
  pageId: string,
  tabId: string,
  newId: () => string,
): AutosaveSlot {
  const isOwn = (entry: AutosaveEntry) => entry.page_id === pageId && entry.tab === tabId;
  if (offers.some(isOwn)) return { tab: newId(), seq: 0 };
  return { tab: tabId, seq: entries.find(isOwn)?.seq ?? 0 };
}
