// One folder's entries, read in pieces as they come into view: a folder may hold a hundred thousand.
import { SvelteMap } from "svelte/reactivity";
import type { Backend, FolderEntry, SortKey, SortOrder } from "../api/backend";
import { encodeName, type EncodedPath } from "../api/names";

const PIECE = 1_000;

export interface Order {
  sort: SortKey;
  order: SortOrder;
}

export type ListingState = "loading" | "ready" | "failed";

export class Listing {
  state = $state<ListingState>("loading");
  error = $state.raw<unknown>(null);
  total = $state(0);
  pictures = $state(0);
  readonly #pieces = new SvelteMap<number, readonly FolderEntry[]>();
  readonly #asked = new Map<number, Promise<void>>();
  #ending = new AbortController();

  constructor(
    private readonly backend: Backend,
    readonly root: string,
    readonly path: EncodedPath,
    private readonly order: Order,
  ) {
    void this.#read(0);
  }

  /** What stands at a place; undefined until its piece has come. */
  at(index: number): FolderEntry | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  /** Asks for what is missing between two places. */
  need(first: number, end: number): void {
    for (let piece = Math.floor(first / PIECE); piece * PIECE < Math.min(end, this.total); piece++) {
      void this.#read(piece);
    }
  }

  /** Reads the folder again. What is shown stays until the answer has come. */
  async refresh(): Promise<void> {
    this.dispose();
    this.#ending = new AbortController();
    this.#asked.clear();
    if (this.state === "failed") this.state = "loading";
    await this.#read(0, true);
  }

  /** The place of a name, reading on until it is found; null if it is not here. */
  async find(name: EncodedPath): Promise<number | null> {
    await this.#read(0);
    for (let piece = 0; piece * PIECE < this.total; piece++) {
      await this.#read(piece);
      const at = this.#pieces.get(piece)?.findIndex((entry) => encodeName(entry) === name) ?? -1;
      if (at >= 0) return piece * PIECE + at;
    }
    return null;
  }

  /** The nearest picture before (-1) or after (1) a place; null if there is none. */
  async neighbour(index: number, step: 1 | -1): Promise<number | null> {
    for (let at = index + step; at >= 0 && at < this.total; at += step) {
      if (!this.at(at)) await this.#read(Math.floor(at / PIECE));
      if (this.at(at)?.kind === "picture") return at;
    }
    return null;
  }

  /** Nothing is wanted any more. */
  dispose(): void {
    this.#ending.abort();
  }

  #read(piece: number, renew = false): Promise<void> {
    const asked = this.#asked.get(piece);
    if (asked) return asked;
    const reading = this.#fetch(piece, renew);
    this.#asked.set(piece, reading);
    return reading;
  }

  async #fetch(piece: number, renew: boolean): Promise<void> {
    const { signal } = this.#ending;
    const { root, path } = this;
    try {
      const query = { root, path, ...this.order, offset: piece * PIECE, limit: PIECE };
      const listing = await this.backend.folders.list(query, signal);
      if (signal.aborted) return;
      // The folder has changed since the other pieces were read: they are read again when they are seen.
      if (renew || (this.state === "ready" && listing.total !== this.total)) this.#forgetBut(piece);
      this.#pieces.set(piece, listing.entries);
      this.total = listing.total;
      this.pictures = listing.pictures;
      this.state = "ready";
    } catch (error) {
      if (signal.aborted) return;
      this.#asked.delete(piece);
      // Without its first piece there is nothing to show. A later one is asked for again when it is seen again.
      if (piece === 0) {
        this.error = error;
        this.state = "failed";
      }
    }
  }

  #forgetBut(piece: number): void {
    this.#pieces.clear();
    for (const asked of [...this.#asked.keys()]) {
      if (asked !== piece) this.#asked.delete(asked);
    }
  }
}
