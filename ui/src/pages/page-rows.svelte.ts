// The pages that fit the filters of the table, read in pieces as they scroll into view.
import type { PageQuery, PagesApi, QueriedPage } from "../api/backend";
import type { Rows } from "../list";
import type { ListPlace } from "./address";

export const PIECE = 200;

export class PageRows implements Rows<QueriedPage> {
  state = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<unknown>(null);
  count = $state(0);
  #pieces = $state.raw<ReadonlyMap<number, readonly QueriedPage[]>>(new Map());
  #asked = new Set<number>();
  #reading = new AbortController();
  #query: PageQuery = {};

  constructor(private readonly api: Pick<PagesApi, "query">) {}

  at(index: number): QueriedPage | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  async show(place: ListPlace): Promise<void> {
    this.#query = queryOf(place);
    await this.reload();
  }

  /** Reads the current table again. The rows remain until the answer arrives. */
  async reload(): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    this.#asked = new Set([0]);
    try {
      const { items, total } = await this.api.query({ ...this.#query, offset: 0, limit: PIECE }, signal);
      if (signal.aborted) return;
      this.#pieces = new Map([[0, items]]);
      this.count = total;
      this.state = "ready";
    } catch (error) {
      // An old table is better than none.
      if (signal.aborted || this.state === "ready") return;
      this.error = error;
      this.state = "failed";
    }
  }

  async retry(): Promise<void> {
    this.state = "loading";
    await this.reload();
  }

  need(first: number, end: number): void {
    const last = Math.min(end, this.count) - 1;
    for (let piece = Math.floor(first / PIECE); piece * PIECE <= last; piece++) {
      if (this.#asked.has(piece)) continue;
      this.#asked.add(piece);
      void this.#read(piece);
    }
  }

  stop(): void {
    this.#reading.abort();
  }

  async #read(piece: number): Promise<void> {
    const { signal } = this.#reading;
    const asked = this.#asked;
    try {
      const { items } = await this.api.query({ ...this.#query, offset: piece * PIECE, limit: PIECE }, signal);
      if (!signal.aborted) this.#pieces = new Map(this.#pieces).set(piece, items);
    } catch {
      // The piece is requested again when it next scrolls into view.
      asked.delete(piece);
    }
  }
}

function queryOf({ text, tag, where, order: { by, descending } }: ListPlace): PageQuery {
  const conditions = [...(text === "" ? [] : [{ property: "path", comparison: "contains" as const, value: text }]), ...(where === null ? [] : [where])];
  return { ...(tag !== "" && { tag }), where: conditions, sort: { by, descending } };
}
