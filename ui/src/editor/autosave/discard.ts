// Discarding an edit also deletes the files that were added for it. One undo restores both.
import type { Asset, Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { Host } from "../../api/host";
import { deleteFilesOf } from "../../editing/files/discarded-files";
import { LockTokens } from "../../editing/locks/lock-tokens";
import type { Offer } from "../../editing/autosave-offers";
import { startEdit } from "../../editing/locks/start-edit";
import { uuidV4 } from "../../editing/locks/tab-id";
import { editUrl } from "../../markdown";
import type { UploadQueue } from "../files/upload-queue.svelte";

/** The state of an edit at the moment of its discard. */
export interface DiscardedEdit {
  pageId: string;
  text: string;
  /** True if the text differs from the saved one. */
  dirty: boolean;
  /** The edited revision; null for a page that was never saved. */
  revision: number | null;
  /** The oldest revision on which the text, or an unsaved text restored into it, is based. */
  baseRevision: number | null;
}

export interface DiscardOptions {
  backend: Pick<Backend, "assets" | "pages" | "autosave" | "locks">;
  host: Host;
  uploads: Pick<UploadQueue, "settled" | "abandon">;
  path: string;
  tab: string;
}

export class Discard {
  readonly #parts: DiscardOptions;
  /** The names of the files that were added since the last save. */
  readonly #added = new Set<string>();

  constructor(parts: DiscardOptions) {
    this.#parts = parts;
  }

  /** Records a file that was added to the text. */
  recordFile(name: string): void {
    this.#added.add(name);
  }

  /** Records that the text is saved, and its files with it. */
  saved(): void {
    this.#added.clear();
  }

  /** Handles a discarded edit: deletes its added files, and offers to undo both. */
  async edit(edit: DiscardedEdit): Promise<void> {
    const { host, uploads } = this.#parts;
    uploads.abandon();
    await uploads.settled();
    const files = edit.revision === null ? [] : await this.#deleteFiles({ ...edit, added: this.#added });
    this.#added.clear();
    if (!edit.dirty && files.length === 0) return;
    const place = uuidV4();
    host.toast(this.#message(edit.dirty, files.length), { undo: () => this.#undoEdit(edit, files, place) });
  }

  /** Handles a discarded offer of unsaved text; `now` is the editor's text. */
  async offer(offer: Offer, now: string, putBack: () => Promise<void>): Promise<void> {
    const { page_id: pageId, source: text, base_revision: baseRevision = null } = offer;
    const files = baseRevision === null ? [] : await this.#deleteFiles({ pageId, text, baseRevision, remaining: [now] });
    const undo = async () => {
      await this.#restore(files);
      await putBack();
    };
    const { host } = this.#parts;
    host.toast(files.length === 0 ? host.t("editor.discarded_offer") : this.#message(true, files.length), { undo });
  }

  /** The text is gone already: files that cannot be deleted stay, and the user is notified. */
  async #deleteFiles(discarded: { pageId: string; text: string; baseRevision: number | null; added?: ReadonlySet<string>; remaining?: string[] }): Promise<Asset[]> {
    const { backend, host, path } = this.#parts;
    try {
      return await deleteFilesOf(backend, { ...discarded, path });
    } catch (error) {
      host.toast(host.t("editor.discard_files_failed", { reason: host.describe(error) }), { tone: "warn" });
      return [];
    }
  }

  #message(text: boolean, count: number): string {
    const { t } = this.#parts.host;
    if (count === 0) return t("editor.discarded");
    return t(text ? "editor.discarded_files" : "editor.discarded_only_files", { count });
  }

  /** Returns the user to the state before the discard. */
  async #undoEdit({ pageId, text, dirty, revision }: DiscardedEdit, files: readonly Asset[], place: string): Promise<void> {
    const { backend, host, path, tab } = this.#parts;
    await this.#restore(files);
    if (!dirty) return;
    await backend.autosave.put(pageId, place, { path, base_revision: revision, source: text, seq: 1 });
    const entry = (await backend.autosave.list(path)).find((one) => one.page_id === pageId && one.tab === place);
    if (revision !== null) await startEdit(backend, { pageId, tabId: Promise.resolve(tab), takeOver: false, isLeft: () => false });
    const isThere = await host.navigate(editUrl(path) + (entry === undefined ? "" : `?take=${entry.id}`));
    if (!isThere && revision !== null) await this.#releaseLock(pageId);
  }

  /** During another edit the user stays there; the text is on offer. */
  async #releaseLock(pageId: string): Promise<void> {
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
        // The file is already restored.
        if (!hasCode(error, "not_deleted")) throw error;
      }
    }
  }
}
