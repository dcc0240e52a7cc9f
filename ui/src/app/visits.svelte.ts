// The pages that were read last, the latest first: what the palette offers. The server keeps them for the person, so that
// they outlive the window; here they are known from what was read since.
import { untrack } from "svelte";
import type { UsersApi, VisitedPage } from "../api/backend";

/** As many as the server keeps. */
const KEPT = 50;

export class Visits {
  #pages = $state.raw<readonly VisitedPage[]>([]);
  /** The notes that are on their way, one after the other: the order is what they tell. */
  #writing: Promise<void> = Promise.resolve();
  #notes = 0;

  constructor(private readonly users: Pick<UsersApi, "visits" | "visit">) {}

  get pages(): readonly VisitedPage[] {
    return this.#pages;
  }

  get ids(): string[] {
    return this.#pages.map(({ page_id }) => page_id);
  }

  note(page: VisitedPage): void {
    // Whoever notes a page in an effect does not follow the list: noting would call for noting again.
    const before = untrack(() => this.#pages);
    this.#pages = [page, ...before.filter(({ page_id }) => page_id !== page.page_id)].slice(0, KEPT);
    this.#notes += 1;
    // An extra: whoever reads is not told that it was not noted, and what concerns everything the frame tells.
    this.#writing = this.#writing.then(() => this.users.visit(page.page_id)).catch(() => {});
  }

  /** What the server knows: other windows' visits, and where pages have moved to. */
  async read(): Promise<void> {
    let pages: VisitedPage[];
    let before: number;
    do {
      before = this.#notes;
      await this.#writing;
      try {
        pages = await this.users.visits();
      } catch {
        // What is known stays; the palette finds pages all the same.
        return;
      }
    } while (before !== this.#notes);
    this.#pages = pages;
  }
}

/** What to offer before anything is asked: first what was read, then what changed lately; never the page that is open. */
export function recentPages<T extends VisitedPage>(
  visited: readonly VisitedPage[],
  changed: readonly T[],
  current: string | null,
  limit: number,
): VisitedPage[] {
  const were = new Set(visited.map(({ page_id }) => page_id));
  const others = changed.filter(({ page_id }) => !were.has(page_id));
  return [...visited, ...others].filter(({ path }) => path !== current).slice(0, limit);
}
