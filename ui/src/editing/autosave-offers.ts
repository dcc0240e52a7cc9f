// Autosave entries of a page that are worth offering.
import { hasCode } from "../api/errors";
import type { AutosaveApi, AutosaveEntry } from "../api/backend";

/** An entry with its text. */
export interface Offer extends AutosaveEntry {
  source: string;
}

/** Newest first; an entry equal to the page's own text is not offered. */
export async function offersOf(
  autosave: Pick<AutosaveApi, "read">,
  entries: readonly AutosaveEntry[],
  pageText: string,
  signal?: AbortSignal,
): Promise<Offer[]> {
  const offers = await Promise.all(entries.map((entry) => withText(autosave, entry, signal)));
  return offers
    .filter((offer) => offer !== null)
    .filter((offer) => offer.source !== pageText && offer.source.trim() !== "")
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
}

/** Loads a long text that the list omits. Null if it has been saved or discarded elsewhere since. */
async function withText(
  autosave: Pick<AutosaveApi, "read">,
  entry: AutosaveEntry,
  signal?: AbortSignal,
): Promise<Offer | null> {
  const { source } = entry;
  if (source !== null && source !== undefined) return { ...entry, source };
  try {
    const whole = await autosave.read(entry.id, signal);
    return { ...whole, source: whole.source ?? "" };
  } catch (error) {
    if (hasCode(error, "not_found", "gone")) return null;
    throw error;
  }
}
