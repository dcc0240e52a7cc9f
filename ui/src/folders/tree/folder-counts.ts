// The numbers of pictures and folders in the visible folders of the tree: requested a few at a time, and cached.
import { SvelteMap } from "svelte/reactivity";
import type { FoldersApi } from "../../api/backend";
import { folderOfId } from "../entries/folder-place";

/** The counts of a folder itself, without its subfolders. */
export interface FolderCount {
  readonly pictures: number;
  readonly folders: number;
}

/**
 * The maximum number of concurrent requests. Reading the names of a large folder is slow, and thumbnails and the
 * current folder need the server, too.
 */
const MAX_CONCURRENT = 2;
/**
 * The delay before a count, in milliseconds: folders that scroll past are not counted, and changes are displayed first.
 */
const PAUSE = 600;
/** The age above which a count is repeated on a visit, in milliseconds. */
const FRESH = 10_000;

export class FolderCounts {
  readonly #known = new SvelteMap<string, FolderCount>();
  /** The times of the counts that are still valid. */
  readonly #counted = new Map<string, number>();
  /** The folders whose count failed. It is retried when they come into view again. */
  readonly #failed = new Set<string>();
  readonly #running = new Map<string, AbortController>();
  #visible: readonly string[] = [];
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly folders: Pick<FoldersApi, "list">,
    private readonly ending: AbortSignal,
  ) {
    ending.addEventListener("abort", () => {
      clearTimeout(this.#pause);
      for (const id of this.#running.keys()) this.#abandon(id);
    });
  }

  /** Returns the last count; undefined until then. */
  of(id: string): FolderCount | undefined {
    return this.#known.get(id);
  }

  /** Stores a count that another read of the folder found. */
  put(id: string, count: FolderCount): void {
    this.#abandon(id);
    this.#keep(id, count);
  }

  /** Sets the visible folders, the most important first. Requests for others are aborted. */
  see(ids: readonly string[]): void {
    if (ids.length === this.#visible.length && ids.every((id, at) => id === this.#visible[at])) return;
    this.#visible = ids;
    const visible = new Set(ids);
    for (const id of this.#running.keys()) if (!visible.has(id)) this.#abandon(id);
    for (const id of this.#failed) if (!visible.has(id)) this.#failed.delete(id);
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#soon();
  }

  /** Invalidates a count. The old one is shown until the new one arrives. */
  markStale(id: string): void {
    this.#abandon(id);
    this.#counted.delete(id);
    this.#failed.delete(id);
    this.#soon();
  }

  markAllStale(): void {
    for (const id of [...this.#counted.keys(), ...this.#failed, ...this.#running.keys()]) this.markStale(id);
  }

  /** True if the count is so old that it may be outdated. */
  isOld(id: string): boolean {
    const at = this.#counted.get(id);
    return at !== undefined && performance.now() - at > FRESH;
  }

  /** Schedules a count. A folder that keeps changing does not postpone it, as others are counted, too. */
  #soon(): void {
    if (this.ending.aborted) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#requestNext();
    }, PAUSE);
  }

  #requestNext(): void {
    if (this.#pause !== undefined || this.ending.aborted) return;
    for (const id of this.#visible) {
      if (this.#running.size >= MAX_CONCURRENT) return;
      if (!this.#counted.has(id) && !this.#failed.has(id) && !this.#running.has(id)) void this.#ask(id);
    }
  }

  async #ask(id: string): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const listing = await this.folders.list({ ...folderOfId(id), kind: "folder", limit: 1 }, controller.signal);
      if (!controller.signal.aborted) this.#keep(id, { pictures: listing.pictures, folders: listing.total });
    } catch {
      // Its row has no number. Opening the folder shows the error.
      if (!controller.signal.aborted) this.#failed.add(id);
    }
    if (this.#running.get(id) === controller) this.#running.delete(id);
    this.#requestNext();
  }

  #keep(id: string, count: FolderCount): void {
    this.#counted.set(id, performance.now());
    this.#known.set(id, count);
  }

  #abandon(id: string): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }
}
