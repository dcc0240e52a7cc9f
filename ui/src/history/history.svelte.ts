// A page's history as reactive state: revisions are loaded in blocks during scrolling, and two of them are compared.
import { SvelteMap } from "svelte/reactivity";
import type { Backend, PageDiff, Revision } from "../api/backend";
import type { Pair } from "./address";

/** The number of revisions per request. They have no gaps, so a block is identified by its number. */
export const BLOCK = 100;

export type HistoryState = { kind: "loading" } | { kind: "ready" } | { kind: "failed"; error: unknown };

export type DiffState =
  | { kind: "loading" }
  | { kind: "ready"; diff: PageDiff }
  | { kind: "failed"; error: unknown };

export class PageHistory {
  state = $state.raw<HistoryState>({ kind: "loading" });
  /** The page's id, once known. */
  id = $state<string | null>(null);
  latest = $state(0);
  oldest = $state(0);
  diff = $state.raw<DiffState>({ kind: "loading" });
  readonly #revisions = new SvelteMap<number, Revision>();
  readonly #asked = new Set<number>();
  /** Aborts with the whole visit: revisions that were read stay valid, whatever changes meanwhile. */
  readonly #staying = new AbortController();
  #loading: AbortController | null = null;
  #comparing: AbortController | null = null;
  #compared: Pair | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly path: string,
    /** Called when the page has moved. */
    private readonly onmoved: (path: string) => void,
    /** Its id, if it is in the trash: no path leads to it. */
    trashed: string | null = null,
  ) {
    this.id = trashed;
  }

  /** The number of kept revisions. */
  get count(): number {
    return this.latest === 0 ? 0 : this.latest - this.oldest + 1;
  }

  revision(number: number): Revision | undefined {
    return this.#revisions.get(number);
  }

  async load(): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      this.id ??= (await this.backend.pages.resolve(this.path, signal)).id;
      const { items, oldest } = await this.backend.revisions.list(this.id, { limit: BLOCK }, signal);
      signal.throwIfAborted();
      for (const item of items) this.#revisions.set(item.revision, item);
      this.oldest = oldest;
      this.latest = items[0]?.revision ?? 0;
      this.state = { kind: "ready" };
    } catch (error) {
      if (!signal.aborted) this.state = { kind: "failed", error };
    }
  }

  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  /** Fetches missing revisions from `low` to `high`. */
  need(low: number, high: number): void {
    const first = Math.floor((Math.max(low, this.oldest) - 1) / BLOCK);
    const last = Math.floor((Math.min(high, this.latest) - 1) / BLOCK);
    for (let block = first; block <= last; block++) {
      const isThere = this.#isThere(block);
      if (!isThere && !this.#asked.has(block)) void this.#fetch(block);
    }
  }

  #isThere(block: number): boolean {
    const low = Math.max(block * BLOCK + 1, this.oldest);
    const high = Math.min((block + 1) * BLOCK, this.latest);
    return this.#revisions.has(low) && this.#revisions.has(high);
  }

  async #fetch(block: number): Promise<void> {
    if (this.id === null) return;
    this.#asked.add(block);
    try {
      const query = { before: (block + 1) * BLOCK + 1, limit: BLOCK };
      const { items } = await this.backend.revisions.list(this.id, query, this.#staying.signal);
      for (const item of items) this.#revisions.set(item.revision, item);
    } catch {
      // The rows stay in the loading state; the next scroll retries, and the frame reports a lost connection.
    } finally {
      this.#asked.delete(block);
    }
  }

  /** Compares two revisions, unless they are shown already. */
  async compare(pair: Pair): Promise<void> {
    if (this.id === null || (this.#compared?.from === pair.from && this.#compared.to === pair.to)) return;
    this.#comparing?.abort();
    const { signal } = (this.#comparing = new AbortController());
    this.#compared = pair;
    this.diff = { kind: "loading" };
    try {
      const diff = await this.backend.revisions.diff(this.id, pair.from, pair.to, signal);
      if (!signal.aborted) this.diff = { kind: "ready", diff };
    } catch (error) {
      if (!signal.aborted) this.diff = { kind: "failed", error };
    }
  }

  /** Repeats the comparison after a failure, or after the newest text was overwritten. */
  async compareAgain(): Promise<void> {
    const pair = this.#compared;
    this.#compared = null;
    if (pair !== null) await this.compare(pair);
  }

  /** Removes the revisions that were deleted. */
  forget(before: number): void {
    for (const number of [...this.#revisions.keys()]) if (number < before) this.#revisions.delete(number);
    this.oldest = Math.max(this.oldest, before);
  }

  /** Follows the server's events; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    const again = async () => {
      const { latest } = this;
      await this.load();
      // The newest revision may have been overwritten (amended).
      if (latest === this.latest && this.#compared?.to === latest) await this.compareAgain();
    };
    const stops = [
      events.on("page.changed", ({ page_id, path, kind }) => {
        if (page_id !== this.id) return;
        if (kind === "renamed" && path !== this.path) this.onmoved(path);
        else void again();
      }),
      events.on("resync", () => void again()),
    ];
    return () => {
      for (const stop of stops) stop();
      this.#staying.abort();
      this.#loading?.abort();
      this.#comparing?.abort();
    };
  }
}
