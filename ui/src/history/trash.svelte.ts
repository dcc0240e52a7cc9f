// The trash as reactive state: read part by part, and updated by the server's events.
import type { Backend } from "../api/backend";
import type { DeletedPage } from "../api/moves";

export type TrashState = { kind: "loading" } | { kind: "ready" } | { kind: "failed"; error: unknown };

/** A deletion: its first page, and those that were deleted along with it. */
export interface Deletion {
  head: DeletedPage;
  subpages: DeletedPage[];
}

const PART_SIZE = 50;
const MAX_PAGES = 1_000;
/** Several pages may change at one moment: one read covers all. */
const SETTLE = 150;

export class Trash {
  state = $state.raw<TrashState>({ kind: "loading" });
  #pages = $state.raw<readonly DeletedPage[]>([]);
  hasMore = $state(false);
  isLoadingMore = $state(false);
  /** All pages that have been read, in the order of the list. */
  get pages(): readonly DeletedPage[] {
    return this.#pages;
  }

  readonly deletions = $derived(group(this.#pages));
  #loading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Backend) {}

  /** Reads as much as is shown, from the beginning. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    const limit = Math.min(MAX_PAGES, Math.max(PART_SIZE, this.#pages.length));
    try {
      const pages = await this.backend.moves.trash({ limit }, signal);
      signal.throwIfAborted();
      this.#pages = pages;
      this.hasMore = pages.length === limit;
      this.state = { kind: "ready" };
    } catch (error) {
      // An old list is better than none.
      if (!signal.aborted && this.state.kind !== "ready") this.state = { kind: "failed", error };
    }
  }

  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  async more(): Promise<void> {
    const last = this.#pages.at(-1);
    if (!this.hasMore || this.isLoadingMore || last === undefined) return;
    this.isLoadingMore = true;
    const signal = this.#loading?.signal;
    try {
      const pages = await this.backend.moves.trash({ after: last.cursor, limit: PART_SIZE }, signal);
      // A newer read has replaced the list meanwhile.
      if (signal?.aborted || this.#pages.at(-1) !== last) return;
      this.#pages = [...this.#pages, ...pages];
      this.hasMore = pages.length === PART_SIZE;
    } finally {
      this.isLoadingMore = false;
    }
  }

  /** Follows the server's events; returns a function that stops it. */
  listen(): () => void {
    const soon = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.load(), SETTLE);
    };
    const { events } = this.backend;
    const stops = [
      events.on("page.changed", ({ kind }) => {
        if (kind === "deleted" || kind === "restored") soon();
      }),
      events.on("resync", soon),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
      this.#loading?.abort();
    };
  }
}

/** Groups pages by deletion. The trash lists pages of one deletion together, by path: the top page comes first. */
function group(pages: readonly DeletedPage[]): Deletion[] {
  const deletions: Deletion[] = [];
  for (const page of pages) {
    const last = deletions.at(-1);
    if (last?.head.deletion === page.deletion) last.subpages.push(page);
    else deletions.push({ head: page, subpages: [] });
  }
  return deletions;
}
