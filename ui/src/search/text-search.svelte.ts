// What is found while one types: an answer is replaced as a whole, and none comes after a newer one.
import type { SearchAnswer, SearchApi, SearchItem } from "../api/search";

const PART = 30;

export class TextSearch {
  /** The last answer; null before the first one. */
  answer = $state.raw<SearchAnswer | null>(null);
  /** What the answer is to. */
  query = $state("");
  failed = $state.raw<unknown>(null);
  #asking: AbortController | null = null;

  constructor(private readonly api: Pick<SearchApi, "find">) {}

  async ask(query: string): Promise<void> {
    this.#asking?.abort();
    const { signal } = (this.#asking = new AbortController());
    if (query === "") {
      Object.assign(this, { answer: null, query, failed: null });
      return;
    }
    try {
      const answer = await this.api.find(query, { limit: PART }, signal);
      if (!signal.aborted) Object.assign(this, { answer, query, failed: null });
    } catch (error) {
      if (!signal.aborted) Object.assign(this, { answer: null, query, failed: error });
    }
  }

  /** Adds the next part; returns its first item. */
  async more(): Promise<SearchItem | null> {
    const { answer, query } = this;
    const anchor = answer?.anchor ?? null;
    if (answer === null || anchor === null || this.#asking === null) return null;
    const { signal } = this.#asking;
    const next = await this.api.find(query, { limit: PART, anchor }, signal);
    if (signal.aborted || this.answer !== answer) return null;
    this.answer = { ...next, items: [...answer.items, ...next.items] };
    return next.items[0] ?? null;
  }

  stop(): void {
    this.#asking?.abort();
  }
}
