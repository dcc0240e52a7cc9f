// The rows of a list: what the component needs of them, and rows that are read a part at a time.

export interface Rows<Item> {
  readonly state: "loading" | "ready" | "failed";
  /** The reason of the failure. */
  readonly error: unknown;
  readonly count: number;
  /** Undefined while the row is loading. */
  at(index: number): Item | undefined;
  retry(): Promise<void>;
  /** True if `more` reads further rows. */
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  more?(): Promise<void>;
  /** Requests the missing rows between two positions. */
  need?(first: number, end: number): void;
}

export interface Part<Item> {
  items: readonly Item[];
  hasMore: boolean;
}

/** Reads at most `limit` items that follow `before`. */
export type ReadPart<Item> = (before: readonly Item[], limit: number, signal: AbortSignal) => Promise<Part<Item>>;

/** Several changes may happen at one moment: one read covers all. In milliseconds. */
const SETTLE = 150;

/** Rows that are read in order. Reading them again reads as many as are shown. */
export class PagedRows<Item> implements Rows<Item> {
  state = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<unknown>(null);
  items = $state.raw<readonly Item[]>([]);
  hasMore = $state(false);
  isLoadingMore = $state(false);
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly readPart: ReadPart<Item>,
    private readonly partSize: number,
  ) {}

  get count(): number {
    return this.items.length;
  }

  at(index: number): Item | undefined {
    return this.items[index];
  }

  async load(): Promise<void> {
    this.#reading?.abort();
    const { signal } = (this.#reading = new AbortController());
    const wanted = Math.max(this.partSize, this.items.length);
    try {
      const items: Item[] = [];
      let hasMore = true;
      while (hasMore && items.length < wanted) {
        const part = await this.readPart(items, this.partSize, signal);
        items.push(...part.items);
        hasMore = part.hasMore;
      }
      if (signal.aborted) return;
      this.items = items;
      this.hasMore = hasMore;
      this.state = "ready";
    } catch (error) {
      // The earlier rows stay: an old list is better than none.
      if (signal.aborted || this.state === "ready") return;
      this.error = error;
      this.state = "failed";
    }
  }

  async retry(): Promise<void> {
    this.state = "loading";
    await this.load();
  }

  async more(): Promise<void> {
    if (!this.hasMore || this.isLoadingMore) return;
    this.isLoadingMore = true;
    const before = this.items;
    const signal = this.#reading?.signal ?? new AbortController().signal;
    try {
      const { items, hasMore } = await this.readPart(before, this.partSize, signal);
      // A newer read has replaced the rows meanwhile.
      if (signal.aborted || this.items !== before) return;
      this.items = [...before, ...items];
      this.hasMore = hasMore;
    } finally {
      this.isLoadingMore = false;
    }
  }

  /** Reads the rows, and reads them again soon after each call of `changed`; returns a function that stops it. */
  follow(subscribe: (changed: () => void) => readonly (() => void)[]): () => void {
    void this.load();
    const stops = subscribe(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.load(), SETTLE);
    });
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
      this.#reading?.abort();
    };
  }
}
