// Discarding an edit takes the files along that were added for it. One undo brings both back.
import type { Asset, Backend } from "../api/backend";
import { hasCode } from "../api/errors";
import type { Host } from "../api/host";
import { deleteFilesOf } from "../editing/discarded-files";
import { LockTokens } from "../editing/lock-tokens";
import type { Offer } from "../editing/offers";
import { startEdit } from "../editing/start-edit";
import { uuidV4 } from "../editing/tab-id";
import { editUrl } from "../markdown";
import type { Bringing } from "./files/bringing.svelte";

/** An edit at the moment when it is discarded. */
export interface DiscardedEdit {
  pageId: string;
  text: string;
  /** Whether the text differs from what is saved. */
  dirty: boolean;
  /** The revision that is edited; null for a page that was never saved. */
  revision: number | null;
  /** The oldest revision from which the text, or an unsaved text that was taken into it, began. */
  since: number | null;
}

export interface DiscardingParts {
  backend: Pick<Backend, "assets" | "pages" | "journal" | "locks">;
  host: Host;
  bringing: Pick<Bringing, "settled" | "forgo">;
  path: string;
  tab: string;
}

export class Discarding {
  readonly #parts: DiscardingParts;
  /** The names of the files that were added since the last save. */
  readonly #added = new Set<string>();

  constructor(parts: DiscardingParts) {
    this.#parts = parts;
  }

  /** A file was added to the text. */
  came(name: string): void {
    this.#added.add(name);
  }

  /** The text is saved, and its files with it. */
  saved(): void {
    this.#added.clear();
  }

  /** The edit was discarded: deletes what it has added, and offers to undo both. */
  async edit(edit: DiscardedEdit): Promise<void> {
    const { host, bringing } = this.#parts;
    bringing.forgo();
    await bringing.settled();
    const files = edit.revision === null ? [] : await this.#deleteFiles({ ...edit, added: this.#added });
    this.#added.clear();
    if (!edit.dirty && files.length === 0) return;
    const place = uuidV4();
    host.toast(this.#said(edit.dirty, files.length), { undo: () => this.#undoEdit(edit, files, place) });
  }

  /** An unsaved text that was on offer was discarded; `now` is what is in the editor. */
  async offer(offer: Offer, now: string, putBack: () => Promise<void>): Promise<void> {
    const { page_id: pageId, source: text, base_revision: since = null } = offer;
    const files = since === null ? [] : await this.#deleteFiles({ pageId, text, since, kept: [now] });
    const undo = async () => {
      await this.#restore(files);
      await putBack();
    };
    const { host } = this.#parts;
    host.toast(files.length === 0 ? host.t("editor.discarded_offer") : this.#said(true, files.length), { undo });
  }

  /** The text is gone already: where its files can't go, they stay, and that is said. */
  async #deleteFiles(discarded: { pageId: string; text: string; since: number | null; added?: ReadonlySet<string>; kept?: string[] }): Promise<Asset[]> {
    const { backend, host, path } = this.#parts;
    try {
      return await deleteFilesOf(backend, { ...discarded, path });
    } catch (error) {
      host.toast(host.t("editor.discard_files_failed", { reason: host.describe(error) }), { tone: "warn" });
      return [];
    }
  }

  #said(text: boolean, count: number): string {
    const { t } = this.#parts.host;
    if (count === 0) return t("editor.discarded");
    return t(text ? "editor.discarded_files" : "editor.discarded_only_files", { count });
  }

  /** The person goes on writing where they had stopped. */
  async #undoEdit({ pageId, text, dirty, revision }: DiscardedEdit, files: readonly Asset[], place: string): Promise<void> {
    const { backend, host, path, tab } = this.#parts;
    await this.#restore(files);
    if (!dirty) return;
    await backend.journal.put(pageId, place, { path, base_revision: revision, source: text, seq: 1 });
    const entry = (await backend.journal.list(path)).find((one) => one.page_id === pageId && one.tab === place);
    if (revision !== null) await startEdit(backend, { pageId, tabId: Promise.resolve(tab), takeOver: false, isLeft: () => false });
    const isThere = await host.navigate(editUrl(path) + (entry === undefined ? "" : `?take=${entry.id}`));
    if (!isThere && revision !== null) await this.#giveBack(pageId);
  }

  /** Another edit keeps the person where they are; the text is on offer. */
  async #giveBack(pageId: string): Promise<void> {
    const tokens = new LockTokens(this.#parts.tab);
    const lock = tokens.read(pageId);
    if (lock === null) return;
    tokens.remove(pageId);
    await this.#parts.backend.locks.release(pageId, lock.token);
  }

  async #restore(files: readonly Asset[]): Promise<void> {
    for (const { id } of files) {
      try {
        await this.#parts.backend.assets.restore(id);
      } catch (error) {
        // It was restored already.
        if (!hasCode(error, "not_deleted")) throw error;
      }
    }
  }
}
