// Pages found while one types. The server looks for them; here it is made sure that the list stays calm: an answer
// replaces what is shown as a whole, none comes after a newer one, and a slow one does not keep the rest waiting.
import type { FoundPage, MatchSpan, PagesApi } from "../api/backend";

export interface PagesFound {
  /** What was asked: not always what stands in the field by now. */
  query: string;
  pages: readonly FoundPage[];
  state: "found" | "waiting" | "failed";
}

/** More than are shown: pages that were open lately are picked out of them. */
const ASKED = 100;
/** Longer than this nothing that belongs to older words stays. */
const PATIENCE = 150;
/** How much better one kind of fit is than the next (docs/API.md). */
const KIND_OF_FIT = 10_000;

const NOTHING: PagesFound = { query: "", pages: [], state: "found" };

export class PageSearch {
  shown = $state.raw<PagesFound>(NOTHING);
  #newest: AbortController | null = null;
  #asking: Promise<void> = Promise.resolve();

  constructor(private readonly pages: Pick<PagesApi, "search">) {}

  ask(query: string): void {
    const before = this.#newest;
    const asking = (this.#newest = new AbortController());
    if (query === "") {
      before?.abort();
      this.shown = NOTHING;
      this.#asking = Promise.resolve();
    } else {
      this.#asking = this.#find(query, asking, before);
    }
  }

  /** Waits until what is shown answers what was asked last. */
  async settled(): Promise<void> {
    let asking: Promise<void>;
    do {
      asking = this.#asking;
      await asking;
    } while (asking !== this.#asking);
  }

  stop(): void {
    this.#newest?.abort();
  }

  async #find(query: string, asking: AbortController, before: AbortController | null): Promise<void> {
    const { signal } = asking;
    const late = setTimeout(() => {
      if (this.#newest === asking) this.shown = { query, pages: [], state: "waiting" };
    }, PATIENCE);
    // Whoever types faster than answers come still sees something: an older answer is better than none until a newer
    // one is there, which ends all that were asked before it.
    signal.addEventListener("abort", () => before?.abort());
    try {
      const pages = await this.pages.search(query, ASKED, signal);
      before?.abort();
      if (!signal.aborted) this.shown = { query, pages, state: "found" };
    } catch {
      // That it failed is said in the list; the commands in it work all the same.
      if (!signal.aborted && this.#newest === asking) this.shown = { query, pages: [], state: "failed" };
    } finally {
      clearTimeout(late);
    }
  }
}

/** A path in pieces as its last segment and what lies above it. */
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

/** Among pages that fit in the same way, those whose ids are `recent` come first, in that order. */
export function withRecentFirst(pages: readonly FoundPage[], recent: readonly string[]): FoundPage[] {
  const kind = ({ score }: FoundPage) => Math.floor(score / KIND_OF_FIT);
  const age = ({ page_id }: FoundPage) => (recent.includes(page_id) ? recent.indexOf(page_id) : recent.length);
  return [...pages].sort((a, b) => kind(b) - kind(a) || age(a) - age(b));
}
