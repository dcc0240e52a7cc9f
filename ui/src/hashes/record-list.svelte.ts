// The records of a hash folder that match a filter, read in pieces as they are scrolled into view.
import type { FilePlace } from "../api/backend";
import type { HashesApi, HashItem, HashPage, HashQuery } from "../api/hashes";
import { type HashFilter, NO_HASH_FILTER } from "../api/hashes-address";

export const PIECE = 100;

export interface RecordFilter extends HashFilter {
  within: FilePlace | null;
}

export const NO_FILTER: RecordFilter = { ...NO_HASH_FILTER, within: null };

export function isFiltered({ state, kind, q }: HashFilter): boolean {
  return state !== null || kind !== null || q !== "";
}

export class RecordList {
  /** The first answer's numbers; null before it. */
  page = $state.raw<Omit<HashPage, "items"> | null>(null);
  /** The part of the path by which the present page was searched. */
  searched = $state("");
  /** The failure of the latest request, while there is nothing to show in its place. */
  failure = $state.raw<{ reason: unknown } | null>(null);
  #pieces = $state.raw<ReadonlyMap<number, readonly HashItem[]>>(new Map());
  #asked = new Set<number>();
  #reading = new AbortController();
  #query: HashQuery = {};
  #dir = "";

  constructor(private readonly api: Pick<HashesApi, "list">) {}

  at(index: number): HashItem | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  /** The record of a file among those that were read first. */
  withPath(path: string): HashItem | undefined {
    return this.#pieces.get(0)?.find((item) => item.path === path);
  }

  /** Reads the records of a folder that match. What is shown stays until the answer has come. */
  async show(dir: string, filter: RecordFilter): Promise<void> {
    if (dir !== this.#dir) this.page = null;
    this.#dir = dir;
    this.#query = queryOf(dir, filter);
    await this.reload();
  }

  /** Reads what is shown again. */
  async reload(): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    const { q = "" } = this.#query;
    this.#asked = new Set([0]);
    try {
      const { items, ...page } = await this.api.list({ ...this.#query, offset: 0, limit: PIECE }, signal);
      if (signal.aborted) return;
      this.page = page;
      this.searched = q;
      this.#pieces = new Map([[0, items]]);
      this.failure = null;
    } catch (reason) {
      if (!signal.aborted) this.failure = { reason };
    }
  }

  /** Asks for what is missing between two places. */
  need(first: number, end: number): void {
    const last = Math.min(end, this.page?.matching ?? 0) - 1;
    for (let piece = Math.floor(first / PIECE); piece * PIECE <= last; piece++) {
      if (this.#asked.has(piece)) continue;
      this.#asked.add(piece);
      void this.#read(piece);
    }
  }

  /** Shows a record as it is by now, where it stands. */
  replace(item: HashItem): void {
    this.#pieces = new Map([...this.#pieces].map(([at, items]) => [at, items.map((one) => (one.name === item.name ? item : one))]));
  }

  dispose(): void {
    this.#reading.abort();
  }

  async #read(piece: number): Promise<void> {
    const { signal } = this.#reading;
    const asked = this.#asked;
    try {
      const { items } = await this.api.list({ ...this.#query, offset: piece * PIECE, limit: PIECE }, signal);
      if (!signal.aborted) this.#pieces = new Map(this.#pieces).set(piece, items);
    } catch {
      // It is asked for again when it is scrolled into view again.
      asked.delete(piece);
    }
  }
}

function queryOf(dir: string, { state, kind, q, within }: RecordFilter): HashQuery {
  return { dir, ...(state && { state }), ...(kind && { kind }), ...(q !== "" && { q }), ...(within && { place: within }) };
}
