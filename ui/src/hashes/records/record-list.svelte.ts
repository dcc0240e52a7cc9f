// The records of a hash folder that match a filter, read in pieces as they scroll into view.
import type { FilePlace } from "../../api/backend";
import type { HashesApi, HashItem, HashPage, HashQuery } from "../../api/hashes";
import { type HashFilter, NO_HASH_FILTER } from "../../api/addresses/hashes-address";
import type { Rows } from "../../list";

export const PIECE = 100;

export interface RecordFilter extends HashFilter {
  within: FilePlace | null;
}

export const NO_FILTER: RecordFilter = { ...NO_HASH_FILTER, within: null };

export function isFiltered({ state, kind, q }: HashFilter): boolean {
  return state !== null || kind !== null || q !== "";
}

export class RecordList implements Rows<HashItem> {
  /** The counts of the first answer; null until it arrives. */
  page = $state.raw<Omit<HashPage, "items"> | null>(null);
  /** The part of the path that the current page was searched for. */
  searched = $state("");
  /** The failure of the latest request, while there is nothing else to show. */
  failure = $state.raw<{ reason: unknown } | null>(null);
  #pieces = $state.raw<ReadonlyMap<number, readonly HashItem[]>>(new Map());
  #asked = new Set<number>();
  #reading = new AbortController();
  #query: HashQuery = {};
  #dir = "";

  constructor(private readonly api: Pick<HashesApi, "list">) {}

  get state(): "loading" | "ready" | "failed" {
    if (this.page !== null) return "ready";
    return this.failure === null ? "loading" : "failed";
  }

  get error(): unknown {
    return this.failure?.reason;
  }

  get count(): number {
    return this.page?.matching ?? 0;
  }

  retry(): Promise<void> {
    return this.reload();
  }

  at(index: number): HashItem | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  /** Returns the record of a file, if it is in the first piece. */
  withPath(path: string): HashItem | undefined {
    return this.#pieces.get(0)?.find((item) => item.path === path);
  }

  /** Reads the matching records of a folder. The current rows remain until the answer arrives. */
  async show(dir: string, filter: RecordFilter): Promise<void> {
    if (dir !== this.#dir) this.page = null;
    this.#dir = dir;
    this.#query = queryOf(dir, filter);
    await this.reload();
  }

  /** Reads the current list again. */
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

  /** Requests the missing records between two positions. */
  need(first: number, end: number): void {
    const last = Math.min(end, this.page?.matching ?? 0) - 1;
    for (let piece = Math.floor(first / PIECE); piece * PIECE <= last; piece++) {
      if (this.#asked.has(piece)) continue;
      this.#asked.add(piece);
      void this.#read(piece);
    }
  }

  /** Replaces a record with its current version, in place. */
  replace(item: HashItem): void {
    this.#pieces = new Map([...this.#pieces].map(([at, items]) => [at, items.map((one) => (one.name === item.name ? item : one))]));
  }

  dispose(): void {
    this.#reading.abort();
  }

  async #read(piece: number): Promise<void> {
    const { signal } = this.#reading;
    const requests = this.#asked;
    try {
      const { items } = await this.api.list({ ...this.#query, offset: piece * PIECE, limit: PIECE }, signal);
      if (!signal.aborted) this.#pieces = new Map(this.#pieces).set(piece, items);
    } catch {
      // The piece is requested again when it next scrolls into view.
      requests.delete(piece);
    }
  }
}

function queryOf(dir: string, { state, kind, q, within }: RecordFilter): HashQuery {
  return { dir, ...(state && { state }), ...(kind && { kind }), ...(q !== "" && { q }), ...(within && { place: within }) };
}
