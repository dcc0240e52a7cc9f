// The autosave entries that a session finds and leaves, and its end.
import type { AutosaveApi, AutosaveEntry } from "../../api/backend";
import { hasCode } from "../../api/errors";
import { type Offer, offersOf } from "../../editing/autosave-offers";
import { uuidV4 } from "../../editing/locks/tab-id";

export class AutosaveEntries {
  /** Earlier unsaved texts that the user has not decided about. */
  offers = $state.raw<Offer[]>([]);
  readonly #autosave: AutosaveApi;
  readonly #path: string;
  /** The expired drafts of this session. They have autosave entries of its text, too. */
  #drafts: string[] = [];

  constructor(autosave: AutosaveApi, path: string) {
    this.#autosave = autosave;
    this.#path = path;
  }

  /** Records that a draft expired, and that another page or draft is written in its place. */
  recordExpiredDraft(draft: string): void {
    this.#drafts.push(draft);
  }

  /**
   * `put` brings an offered text into the editor, if there still is one. The offer's entry is removed when `write`
   * reports that the text is in this session's entry.
   */
  async restoreOffer(entry: Offer, put: () => boolean, write: () => Promise<boolean>, pageText: string): Promise<boolean> {
    if (!put()) return false;
    this.#withdraw(entry);
    if (await write()) await this.#forget(entry, pageText);
    return true;
  }

  /** Discards a text on offer. */
  async discard(entry: Offer, pageText: string): Promise<void> {
    await this.#forget(entry, pageText);
  }

  /** Removes a text as it was shown; text typed into it since stays, and is offered. */
  async #forget(entry: Offer, pageText: string): Promise<void> {
    const { id, seq } = entry;
    let newer: Offer[] = [];
    try {
      await this.#autosave.remove(id, seq);
    } catch (error) {
      if (!hasCode(error, "stale_sequence")) throw error;
      const entries = await this.#autosave.list(this.#path);
      newer = await offersOf(this.#autosave, entries.filter((other) => other.id === id), pageText);
    }
    this.#withdraw(entry);
    this.offers = [...newer, ...this.offers];
  }

  #withdraw(entry: Offer): void {
    this.offers = this.offers.filter((other) => other.id !== entry.id);
  }

  /** Undoes a restore: the text is written back to its place, and is on offer again. */
  async putBack({ page_id, tab, path, base_revision, source, seq }: Offer): Promise<void> {
    let place = tab;
    try {
      // An entry that was not removed still exists; then its own number overwrites it with the same text.
      await this.#autosave.put(page_id, place, { path, base_revision, source, seq });
    } catch (error) {
      if (!hasCode(error, "stale_sequence")) throw error;
      // Text typed there since stays, and the restored text is put beside it.
      place = uuidV4();
      await this.#autosave.put(page_id, place, { path, base_revision, source, seq: 1 });
    }
    this.#offer(await this.#autosave.list(this.#path), { page_id, tab: place, source });
  }

  /** Stores the text that is about to be replaced, including later typing until then, and offers it. */
  async setAside(place: Pick<Offer, "page_id" | "base_revision">, text: () => string, replace: () => void): Promise<void> {
    const tab = uuidV4();
    let source: string;
    let seq = 0;
    do {
      source = text();
      await this.#autosave.put(place.page_id, tab, { path: this.#path, base_revision: place.base_revision, source, seq: ++seq });
    } while (text() !== source);
    replace();
    this.#offer(await this.#autosave.list(this.#path), { page_id: place.page_id, tab, source });
  }

  #offer(entries: readonly AutosaveEntry[], { page_id, tab, source }: Pick<Offer, "page_id" | "tab" | "source">): void {
    const matching = entries.filter((entry) => entry.page_id === page_id && entry.tab === tab);
    this.offers = [...matching.map((entry) => ({ ...entry, source })), ...this.offers];
  }

  /** Removes all autosave entries of this session. */
  async forgetOwn(pageId: string, tab: string): Promise<void> {
    await this.#forgetOf([pageId, ...this.#drafts], tab);
  }

  /**
   * Called after a save. A save ends the unsaved text of the page that it saved, but not of drafts that expired before.
   */
  async forgetDrafts(tab: string): Promise<void> {
    if (this.#drafts.length === 0) return;
    try {
      await this.#forgetOf(this.#drafts, tab);
      this.#drafts = [];
    } catch {
      // The page is saved. A remaining entry of the draft is at worst offered once more.
    }
  }

  async #forgetOf(pageIds: readonly string[], tab: string): Promise<void> {
    const entries = await this.#autosave.list(this.#path);
    const own = entries.filter((entry) => pageIds.includes(entry.page_id) && entry.tab === tab);
    await Promise.all(own.map((entry) => this.#autosave.remove(entry.id)));
  }
}
