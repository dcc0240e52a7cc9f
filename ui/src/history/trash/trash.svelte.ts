// The trash as reactive state: read part by part, and updated by the server's events.
import type { Backend } from "../../api/backend";
import type { DeletedPage } from "../../api/moves";
import { PagedRows } from "../../list";

export interface TrashItem {
  page: DeletedPage;
  /** True if it was deleted along with the page above it. */
  isSubpage: boolean;
}

const PART_SIZE = 50;

export class Trash extends PagedRows<TrashItem> {
  constructor(private readonly backend: Pick<Backend, "moves" | "events">) {
    super(async (before, limit, signal) => {
      const last = before.at(-1)?.page;
      const pages = await backend.moves.trash({ ...(last !== undefined && { after: last.cursor }), limit }, signal);
      return { items: itemsOf(pages, last), hasMore: pages.length === limit };
    }, PART_SIZE);
  }

  /** Reads the trash and follows the server's events; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    return this.follow((changed) => [
      events.on("page.changed", ({ kind }) => {
        if (kind === "deleted" || kind === "restored") changed();
      }),
      events.on("resync", changed),
    ]);
  }
}

/** The trash lists the pages of one deletion together, by path: the top page comes first. */
function itemsOf(pages: readonly DeletedPage[], last: DeletedPage | undefined): TrashItem[] {
  return pages.map((page, index) => ({ page, isSubpage: (pages[index - 1] ?? last)?.deletion === page.deletion }));
}
