// What an editing finds in the journal and leaves there, and its end.
import type { JournalApi } from "../api/backend";
import { hasCode } from "../api/errors";
import { type Offer, offersOf } from "../editing/offers";
import { uuidV4 } from "../editing/tab-id";

export class LeftTexts {
  readonly #journal: JournalApi;
  readonly #path: string;
  /** The drafts of this editing that ran out. What was typed is in the journal under them, too. */
  #drafts: string[] = [];

  constructor(journal: JournalApi, path: string) {
    this.#journal = journal;
    this.#path = path;
  }

  /** A draft ran out, and another page or draft is written in its place. */
  ranOut(draft: string): void {
    this.#drafts.push(draft);
  }

  /** Removes a text that was seen; what was typed into it since stays, and is given back as an offer. */
  async forget({ id, seq }: Offer, pageText: string): Promise<Offer[]> {
    try {
      await this.#journal.remove(id, seq);
      return [];
    } catch (error) {
      if (!hasCode(error, "stale_sequence")) throw error;
      const entries = await this.#journal.list(this.#path);
      const newer = entries.filter((entry) => entry.id === id);
      return await offersOf(this.#journal, newer, pageText);
    }
  }

  /** Puts a text that was taken up by mistake where it was; gives it back as an offer. */
  async putBack({ page_id, tab, path, base_revision, source, seq }: Offer): Promise<Offer[]> {
    let place = tab;
    try {
      // The entry is there still if it had not been removed; then its own number writes the same over it.
      await this.#journal.put(page_id, place, { path, base_revision, source, seq });
    } catch (error) {
      if (!hasCode(error, "stale_sequence")) throw error;
      // What was typed there since stays, and the text comes back beside it.
      place = uuidV4();
      await this.#journal.put(page_id, place, { path, base_revision, source, seq: 1 });
    }
    const entries = await this.#journal.list(this.#path);
    const again = entries.filter((entry) => entry.page_id === page_id && entry.tab === place);
    return again.map((entry) => ({ ...entry, source }));
  }

  /** Removes all that was written in this editing. */
  async forgetOwn(pageId: string, tab: string): Promise<void> {
    await this.#forgetOf([pageId, ...this.#drafts], tab);
  }

  /** After a save, which ends the unsaved text of the page that it saved, and of no draft that ran out before. */
  async forgetDrafts(tab: string): Promise<void> {
    if (this.#drafts.length === 0) return;
    try {
      await this.#forgetOf(this.#drafts, tab);
      this.#drafts = [];
    } catch {
      // The page is saved. What is left of the draft is at worst offered once more.
    }
  }

  async #forgetOf(pageIds: readonly string[], tab: string): Promise<void> {
    const entries = await this.#journal.list(this.#path);
    const own = entries.filter((entry) => pageIds.includes(entry.page_id) && entry.tab === tab);
    await Promise.all(own.map((entry) => this.#journal.remove(entry.id)));
  }
}
