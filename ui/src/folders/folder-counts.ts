// How many pictures and folders lie in the folders of the tree that are seen: asked for a few at a time, and kept.
import { SvelteMap } from "svelte/reactivity";
import type { FoldersApi } from "../api/backend";
import { placeOf } from "./folder-id";

/** What lies in a folder itself. */
export interface FolderCount {
  readonly pictures: number;
  readonly folders: number;
}

/** Reading the names of a large folder takes its time: thumbnails and the folder that is shown are to have theirs. */
const AT_ONCE = 2;
/** What is only scrolled past is not asked for, and what has changed is shown before it is counted, in milliseconds. */
const PAUSE = 600;
/** What was counted longer ago than this is counted again when one goes there, in milliseconds. */
const FRESH = 10_000;

export class FolderCounts {
  readonly #known = new SvelteMap<string, FolderCount>();
  /** When they were counted, of those that need not be again. */
  readonly #counted = new Map<string, number>();
  /** Those that could not be counted; that is tried again when they come into view again. */
  readonly #failed = new Set<string>();
  readonly #running = new Map<string, AbortController>();
  #seen: readonly string[] = [];
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

  /** What was counted last; undefined until then. */
  of(id: string): FolderCount | undefined {
    return this.#known.get(id);
  }

  /** Whoever has read the folder for something else tells it. */
  put(id: string, count: FolderCount): void {
    this.#abandon(id);
    this.#keep(id, count);
  }

  /** These folders are in view, those that matter most first. What is asked of others is abandoned. */
  see(ids: readonly string[]): void {
    if (ids.length === this.#seen.length && ids.every((id, at) => id === this.#seen[at])) return;
    this.#seen = ids;
    const seen = new Set(ids);
    for (const id of this.#running.keys()) if (!seen.has(id)) this.#abandon(id);
    for (const id of this.#failed) if (!seen.has(id)) this.#failed.delete(id);
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#soon();
  }

  /** It may hold others by now. What is known is shown until it is known better. */
  doubt(id: string): void {
    this.#abandon(id);
    this.#counted.delete(id);
    this.#failed.delete(id);
    this.#soon();
  }

  doubtAll(): void {
    for (const id of [...this.#counted.keys(), ...this.#failed, ...this.#running.keys()]) this.doubt(id);
  }

  /** Whether it was counted so long ago that more may be known by now. */
  isOld(id: string): boolean {
    const at = this.#counted.get(id);
    return at !== undefined && performance.now() - at > FRESH;
  }

  /** What changes all the time does not put it off: others are counted, too. */
  #soon(): void {
    if (this.ending.aborted) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#goOn();
    }, PAUSE);
  }

  #goOn(): void {
    if (this.#pause !== undefined || this.ending.aborted) return;
    for (const id of this.#seen) {
      if (this.#running.size >= AT_ONCE) return;
      if (!this.#counted.has(id) && !this.#failed.has(id) && !this.#running.has(id)) void this.#ask(id);
    }
  }

  async #ask(id: string): Promise<void> {
    const asked = new AbortController();
    this.#running.set(id, asked);
    try {
      const found = await this.folders.list({ ...placeOf(id), kind: "folder", limit: 1 }, asked.signal);
      if (!asked.signal.aborted) this.#keep(id, { pictures: found.pictures, folders: found.total });
    } catch {
      // Its row has no number; what is wrong with it is told to who opens it.
      if (!asked.signal.aborted) this.#failed.add(id);
    }
    if (this.#running.get(id) === asked) this.#running.delete(id);
    this.#goOn();
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
