// What an editing finds in the journal and leaves there, and its end.
import type { JournalApi, JournalEntry } from "../api/backend";
import { hasCode } from "../api/errors";
import { type Offer, offersOf } from "../editing/offers";
import { uuidV4 } from "../editing/tab-id";

export class LeftTexts {
  /** Unsaved texts of earlier that the person has not decided about. */
  offers = $state.raw<Offer[]>([]);
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

  /**
   * `put` brings an offered text into the editor, if there still is one. The entry goes when `write` says that the text
   * is in the journal under this editing.
   */
  async takeUp(entry: Offer, put: () => boolean, write: () => Promise<boolean>, pageText: string): Promise<boolean> {
    if (!put()) return false;
    this.#withdraw(entry);
    if (await write()) await this.#forget(entry, pageText);
    return true;
  }

  /** The person does not want a text that is on offer. */
  async discard(entry: Offer, pageText: string): Promise<void> {
    await this.#forget(entry, pageText);
  }

  /** Removes a text that was seen; what was typed into it since stays, and is offered. */
  async #forget(entry: Offer, pageText: string): Promise<void> {
    const { id, seq } = entry;
    let newer: Offer[] = [];
    try {
      await this.#journal.remove(id, seq);
    } catch (error) {
      if (!hasCode(error, "stale_sequence")) throw error;
      const entries = await this.#journal.list(this.#path);
      newer = await offersOf(this.#journal, entries.filter((other) => other.id === id), pageText);
    }
    this.#withdraw(entry);
    this.offers = [...newer, ...this.offers];
  }

  #withdraw(entry: Offer): void {
    this.offers = this.offers.filter((other) => other.id !== entry.id);
  }

  /** A text was taken up by mistake: it goes where it was, and is on offer again. */
  async putBack({ page_id, tab, path, base_revision, source, seq }: Offer): Promise<void> {
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
    this.#offer(await this.#journal.list(this.#path), { page_id, tab: place, source });
  }

  /** Keeps the text that is about to be replaced, also what is typed until then, and offers it. */
  async setAside(place: Pick<Offer, "page_id" | "base_revision">, text: () => string, replace: () => void): Promise<void> {
    const tab = uuidV4();
    let source: string;
    let seq = 0;
    do {
      source = text();
      await this.#journal.put(place.page_id, tab, { path: this.#path, base_revision: place.base_revision, source, seq: ++seq });
    } while (text() !== source);
    replace();
    this.#offer(await this.#journal.list(this.#path), { page_id: place.page_id, tab, source });
  }

  #offer(entries: readonly JournalEntry[], { page_id, tab, source }: Pick<Offer, "page_id" | "tab" | "source">): void {
    const found = entries.filter((entry) => entry.page_id === page_id && entry.tab === tab);
    this.offers = [...found.map((entry) => ({ ...entry, source })), ...this.offers];
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
