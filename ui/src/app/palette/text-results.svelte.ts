// The palette's results beside names: pages by their text, pictures, files of pages and hash records.
import { type ResultOf, type SearchApi, type SearchItem, type SearchKind } from "../../api/search";
import { KindSearch } from "../../search/results/kind-search.svelte";

/** The greatest number of results of each kind. */
const MAX_RESULTS: Record<SearchKind, number> = { page: 6, picture: 3, file: 3, record: 3 };
/** More pages than are listed, as those found by name are left out. */
const PAGES_ASKED = 30;

export class TextResults {
  readonly #pages: KindSearch<"page">;
  readonly #others: readonly (KindSearch<"picture"> | KindSearch<"file"> | KindSearch<"record">)[];

  constructor(api: Pick<SearchApi, "find">) {
    const options = (first: number) => ({ first, next: first, repeats: false });
    this.#pages = new KindSearch(api, "page", options(PAGES_ASKED));
    this.#others = [
      new KindSearch(api, "picture", options(MAX_RESULTS.picture)),
      new KindSearch(api, "file", options(MAX_RESULTS.file)),
      new KindSearch(api, "record", options(MAX_RESULTS.record)),
    ];
  }

  /** Pages come first: the other kinds are requested afterwards. */
  async ask(query: string): Promise<void> {
    for (const other of this.#others) other.stop();
    await this.#pages.ask(query);
    if (this.#pages.query === query) await Promise.all(this.#others.map((other) => other.ask(query)));
  }

  /** The query of the answers. */
  get query(): string {
    return this.#pages.query;
  }

  /** The received answers to a query, kind by kind; without pages that are listed already. */
  of(query: string, listed: ReadonlySet<string>): SearchItem[] {
    if (query === "") return [];
    const isNew = (item: ResultOf<"page">) => !listed.has(item.page_id) && (query.includes(":") || isQuoted(item));
    const pages = this.#pages.query === query ? this.#pages.items.filter(isNew) : [];
    const others = this.#others.filter((other) => other.query === query);
    return [...pages.slice(0, MAX_RESULTS.page), ...others.flatMap((other): readonly SearchItem[] => other.items.slice(0, MAX_RESULTS[other.kind]))];
  }

  /** A query with near words that finds pages, if this one finds none. */
  nearOf(query: string): string | null {
    return query !== "" && this.#pages.query === query ? (this.#pages.answer?.suggestion ?? null) : null;
  }

  stop(): void {
    this.#pages.stop();
    for (const other of this.#others) other.stop();
  }
}

/**
 * False for a page found only by its author or date: a typed name is not a request for everything that person wrote.
 */
function isQuoted({ title, path, snippets }: ResultOf<"page">): boolean {
  return [title, path, ...snippets].some((text) => text && text.highlights.length > 0);
}
