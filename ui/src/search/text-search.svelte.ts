// What is found while one types: an answer is replaced as a whole, and none comes after a newer one.
import type { ResultOf, SearchAnswer, SearchApi, SearchKind } from "../api/search";

export class TextSearch<K extends SearchKind> {
  /** The last answer; null before the first one. */
  answer = $state.raw<SearchAnswer<K> | null>(null);
  /** What the answer is to. */
  query = $state("");
  failed = $state.raw<unknown>(null);
  #asking: AbortController | null = null;

  constructor(
    private readonly api: Pick<SearchApi, "find">,
    private readonly kind: K,
    /** The number of results that are asked for at a time. */
    private readonly part: number,
  ) {}

  async ask(query: string): Promise<void> {
    this.#asking?.abort();
    const { signal } = (this.#asking = new AbortController());
    if (query === "") {
      Object.assign(this, { answer: null, query, failed: null });
      return;
    }
    try {
      const answer = await this.api.find(this.kind, query, { limit: this.part }, signal);
      if (!signal.aborted) Object.assign(this, { answer, query, failed: null });
    } catch (error) {
      if (!signal.aborted) Object.assign(this, { answer: null, query, failed: error });
    }
  }

  /** Adds the next part; returns its first item. */
  async more(): Promise<ResultOf<K> | null> {
    const { answer, query } = this;
    const anchor = answer?.anchor ?? null;
    if (answer === null || anchor === null || this.#asking === null) return null;
    const { signal } = this.#asking;
    const next = await this.api.find(this.kind, query, { limit: this.part, anchor }, signal);
    if (signal.aborted || this.answer !== answer) return null;
    this.answer = { ...next, items: [...answer.items, ...next.items] };
    return next.items[0] ?? null;
  }

  stop(): void {
    this.#asking?.abort();
  }
}
