// The recently read pages, the latest first, as the palette offers them. The server keeps them for the user, so that
// they outlive the window; this list is updated by later reads.
import { untrack } from "svelte";
import type { UsersApi, VisitedPage } from "../../api/backend";

/** The server's limit. */
const MAX_PAGES = 50;

export class Visits {
  #pages = $state.raw<readonly VisitedPage[]>([]);
  /** The pending writes, in sequence: they record the order of visits. */
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
    // An effect that records a page must not depend on the list: recording would trigger itself.
    const before = untrack(() => this.#pages);
    this.#pages = [page, ...before.filter(({ page_id }) => page_id !== page.page_id)].slice(0, MAX_PAGES);
    this.#notes += 1;
    // Optional: a failed record is not reported to the reader, and the frame reports faults that concern everything.
    this.#writing = this.#writing.then(() => this.users.visit(page.page_id)).catch(() => {});
  }

  /** Reads the server's list: visits of other windows, and new paths of moved pages. */
  async read(): Promise<void> {
    let pages: VisitedPage[];
    let before: number;
    do {
      before = this.#notes;
      await this.#writing;
      try {
        pages = await this.users.visits();
      } catch {
        // The known list stays; the palette still finds pages.
        return;
      }
    } while (before !== this.#notes);
    this.#pages = pages;
  }
}

/** The suggestions before a query: recently read pages, then recently changed ones; never the open page. */
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
