// The results of one kind during typing: an answer is replaced as a whole, and none arrives after a newer one.
import type { PartialAnswer, ResultOf, SearchAnswer, SearchApi, SearchKind, SearchScope } from "../../api/search";
import { isLasting } from "../../search-results/partial-words";
import { keyOf } from "./result-key";
import { isSameQuery, type SearchQuestion } from "../query";

export interface KindOptions {
  /** The number of results that are requested first. */
  first: number;
  /** The number of results that each "Show more" adds. */
  next: number;
  /** True if the question is repeated while the answer is partial. */
  repeats: boolean;
}

/** The server's limit per request. */
const MAX_PART_SIZE = 100;
/** The pause before the question is repeated; it doubles each time. In milliseconds. */
const MIN_PAUSE = 1_000;
const MAX_PAUSE = 8_000;

export class KindSearch<K extends SearchKind> {
  /** The last answer; null before the first one, and after a failure. */
  answer = $state.raw<SearchAnswer<K> | null>(null);
  failed = $state.raw<unknown>(null);
  /** The question of the last answer or failure. */
  question = $state.raw<SearchQuestion>({ query: "" });
  /** The last question, answered or not. */
  #last: SearchQuestion = { query: "" };
  #asking: AbortController | null = null;
  #asked: Promise<void> = Promise.resolve();
  #repeating: ReturnType<typeof setTimeout> | undefined;
  #pause = MIN_PAUSE;

  constructor(
    private readonly api: Pick<SearchApi, "find">,
    readonly kind: K,
    private readonly options: KindOptions,
  ) {}

  get query(): string {
    return this.question.query;
  }

  get items(): readonly ResultOf<K>[] {
    return this.answer?.items ?? [];
  }

  get total(): number {
    return this.answer?.total ?? 0;
  }

  get partial(): PartialAnswer | null {
    return this.answer?.partial ?? null;
  }

  /** True if there are more results than are shown. */
  get hasMore(): boolean {
    return (this.answer?.anchor ?? null) !== null;
  }

  /** Searches. For the same question again, as many results as before are requested. */
  ask(query: string, scope: Partial<SearchScope> = {}): Promise<void> {
    this.#last = { query, ...scope };
    return (this.#asked = this.#ask(this.#last));
  }

  /** True if this is the last question, answered or not. */
  isLastQuestion(question: SearchQuestion): boolean {
    return isSameQuery(question, this.#last);
  }

  async #ask(question: SearchQuestion): Promise<void> {
    this.stop();
    const { signal } = (this.#asking = new AbortController());
    const isSame = isSameQuery(question, this.question);
    if (!isSame) this.#pause = MIN_PAUSE;
    if (question.query === "") {
      Object.assign(this, { answer: null, question, failed: null });
      return;
    }
    const count = isSame ? Math.max(this.options.first, this.items.length) : this.options.first;
    try {
      const answer = await this.#read(question, count, signal);
      if (signal.aborted) return;
      Object.assign(this, { answer, question, failed: null });
      this.#repeatSoon();
    } catch (error) {
      if (!signal.aborted) Object.assign(this, { answer: null, question, failed: error });
    }
  }

  /** Adds the next part; returns its first result. */
  async more(): Promise<ResultOf<K> | null> {
    await this.#asked;
    const { answer, question } = this;
    const anchor = answer?.anchor ?? null;
    if (answer === null || anchor === null || this.#asking === null) return null;
    const { signal } = this.#asking;
    clearTimeout(this.#repeating);
    try {
      const next = await this.#part(question, { limit: this.options.next, anchor }, signal);
      if (signal.aborted) return null;
      this.answer = joined(answer, next);
      return this.items[answer.items.length] ?? null;
    } finally {
      if (!signal.aborted) this.#repeatSoon();
    }
  }

  stop(): void {
    this.#asking?.abort();
    clearTimeout(this.#repeating);
  }

  async #read(question: SearchQuestion, count: number, signal: AbortSignal): Promise<SearchAnswer<K>> {
    let answer = await this.#part(question, { limit: Math.min(count, MAX_PART_SIZE) }, signal);
    while (answer.anchor && answer.items.length < count) {
      const limit = Math.min(count - answer.items.length, MAX_PART_SIZE);
      answer = joined(answer, await this.#part(question, { limit, anchor: answer.anchor }, signal));
    }
    return answer;
  }

  #part({ query, ...scope }: SearchQuestion, part: { limit: number; anchor?: string }, signal: AbortSignal): Promise<SearchAnswer<K>> {
    return this.api.find(this.kind, query, { ...part, ...scope }, signal);
  }

  /** Not if the same question would have no better answer. */
  #repeatSoon(): void {
    if (!this.options.repeats || this.partial === null || isLasting(this.partial)) return;
    const { query, ...scope } = this.question;
    this.#repeating = setTimeout(() => void this.ask(query, scope), this.#pause);
    this.#pause = Math.min(2 * this.#pause, MAX_PAUSE);
  }
}

/** Results shift between two answers when something changes: duplicates are dropped. */
function joined<K extends SearchKind>(answer: SearchAnswer<K>, next: SearchAnswer<K>): SearchAnswer<K> {
  const keys = new Set(answer.items.map(keyOf));
  return { ...next, items: [...answer.items, ...next.items.filter((item) => !keys.has(keyOf(item)))] };
}
