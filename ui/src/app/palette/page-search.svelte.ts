// The search for pages during typing. The server searches; this class keeps the list calm: an answer replaces the whole
// list, none arrives after a newer one, and a slow one does not delay the rest.
import type { FoundPage, MatchSpan, PagesApi } from "../../api/backend";

export interface PagesFound {
  /** The query of these results, which may differ from the field's present text. */
  query: string;
  pages: readonly FoundPage[];
  state: "found" | "waiting" | "failed";
}

/** More than are shown: recently opened pages are picked out of them. */
const LIMIT = 100;
/** Results of an older query are removed after this time. */
const PATIENCE = 150;
/** The difference in score between one kind of match and the next (docs/API.md). */
const SCORE_TIER = 10_000;

const NOTHING: PagesFound = { query: "", pages: [], state: "found" };

export class PageSearch {
  shown = $state.raw<PagesFound>(NOTHING);
  #newest: AbortController | null = null;
  #asking: Promise<void> = Promise.resolve();

  constructor(private readonly pages: Pick<PagesApi, "search">) {}

  ask(query: string): void {
    const before = this.#newest;
    const controller = (this.#newest = new AbortController());
    if (query === "") {
      before?.abort();
      this.shown = NOTHING;
      this.#asking = Promise.resolve();
    } else {
      this.#asking = this.#find(query, controller, before);
    }
  }

  /** Waits until the results match the last query. */
  async settled(): Promise<void> {
    let pending: Promise<void>;
    do {
      pending = this.#asking;
      await pending;
    } while (pending !== this.#asking);
  }

  stop(): void {
    this.#newest?.abort();
  }

  async #find(query: string, controller: AbortController, before: AbortController | null): Promise<void> {
    const { signal } = controller;
    const late = setTimeout(() => {
      if (this.#newest === controller) this.shown = { query, pages: [], state: "waiting" };
    }, PATIENCE);
    // If typing outpaces the answers, an older answer is better than none until a newer one arrives, which cancels all
    // earlier requests.
    signal.addEventListener("abort", () => before?.abort());
    try {
      const pages = await this.pages.search(query, LIMIT, signal);
      before?.abort();
      if (!signal.aborted) this.shown = { query, pages, state: "found" };
    } catch {
      // The list reports the failure; its commands still work.
      if (!signal.aborted && this.#newest === controller) this.shown = { query, pages: [], state: "failed" };
    } finally {
      clearTimeout(late);
    }
  }
}

/** Splits a path into its last segment and its parent path. */
export function nameAndPlace(path: readonly MatchSpan[]): { name: MatchSpan[]; place: MatchSpan[] } {
  const name = [...path];
  const place: MatchSpan[] = [];
  while (name.slice(1).some(({ text }) => text.includes("/"))) place.push(...name.splice(0, 1));
  const [first] = name;
  if (first !== undefined) {
    const { text, matched } = first;
    const end = text.lastIndexOf("/");
    name[0] = { text: text.slice(end + 1), matched };
    if (end > 0 || place.length > 0) place.push({ text: text.slice(0, Math.max(0, end)), matched });
  }
  return { name, place };
}

/** Moves pages whose ids are `recent` before others with the same kind of match, in that order. */
export function withRecentFirst(pages: readonly FoundPage[], recent: readonly string[]): FoundPage[] {
  const kind = ({ score }: FoundPage) => Math.floor(score / SCORE_TIER);
  const age = ({ page_id }: FoundPage) => (recent.includes(page_id) ? recent.indexOf(page_id) : recent.length);
  return [...pages].sort((a, b) => kind(b) - kind(a) || age(a) - age(b));
}
