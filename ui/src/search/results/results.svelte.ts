// The results of all kinds: each kind is requested separately, so that none waits for another.
import { SEARCH_KINDS, type SearchApi, type SearchKind } from "../../api/search";
import { type KindOptions, KindSearch } from "./kind-search.svelte";
import { isSameQuery, type SearchQuestion, queryFor } from "../query";

const OPTIONS: Record<SearchKind, Omit<KindOptions, "repeats">> = {
  page: { first: 30, next: 30 },
  picture: { first: 12, next: 48 },
  file: { first: 6, next: 30 },
  record: { first: 6, next: 30 },
};

type Kinds = { readonly [K in SearchKind]: KindSearch<K> };

export class Results {
  readonly of: Kinds;

  constructor(api: Pick<SearchApi, "find">) {
    const kind = <K extends SearchKind>(of: K) => new KindSearch(api, of, { ...OPTIONS[of], repeats: true });
    this.of = { page: kind("page"), picture: kind("picture"), file: kind("file"), record: kind("record") };
  }

  async ask(question: SearchQuestion, kinds: readonly SearchKind[] = SEARCH_KINDS): Promise<void> {
    await Promise.all(
      kinds.map((kind) => {
        const { query, ...scope } = queryFor(kind, question);
        return this.of[kind].ask(query, scope);
      }),
    );
  }

  /** Asks the kinds whose last question differs. */
  async follow(question: SearchQuestion): Promise<void> {
    await this.ask(question, SEARCH_KINDS.filter((kind) => !this.of[kind].isLastQuestion(queryFor(kind, question))));
  }

  /** True if all of these have answered or failed. */
  haveAnswered(kinds: readonly SearchKind[], question: SearchQuestion): boolean {
    return kinds.every((kind) => isSameQuery(this.of[kind].question, queryFor(kind, question)));
  }

  total(kinds: readonly SearchKind[]): number {
    return kinds.reduce((sum, kind) => sum + this.of[kind].total, 0);
  }

  /**
   * The kinds with results or a message. Those below one that has never answered wait for it, so that nothing moves
   * down.
   */
  shown(kinds: readonly SearchKind[]): SearchKind[] {
    const waiting = kinds.findIndex((kind) => this.of[kind].answer === null && this.of[kind].failed === null);
    const loadedKinds = waiting < 0 ? kinds : kinds.slice(0, waiting);
    return loadedKinds.filter((kind) => this.#hasSomething(kind));
  }

  stop(): void {
    for (const kind of SEARCH_KINDS) this.of[kind].stop();
  }

  #hasSomething(kind: SearchKind): boolean {
    const { items, partial, failed } = this.of[kind];
    return items.length > 0 || partial !== null || failed !== null;
  }
}
