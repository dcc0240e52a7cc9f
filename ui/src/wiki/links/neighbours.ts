// The neighbourhood of a page: the targets of its links, and the pages that link to it.
import type { Backlink, PageLink, PagesApi } from "../../api/backend";
import { trashedPageUrl } from "../../editing/addresses/trash-address";
import { editUrl, wikiUrl } from "../../markdown";

/** The server's limit. With more backlinks than this, a link back may go unnoticed. */
export const MAX_BACKLINKS = 1000;

export interface Neighbour {
  /** Unique within a neighbourhood. */
  key: string;
  path: string;
  /** Null if there is none, or it is unknown. */
  title: string | null;
  kind: "page" | "missing" | "deleted";
  /** True if the two pages link to each other. */
  mutual: boolean;
  address: string;
}

export interface Neighbours {
  /** The pages that link here and are not linked from here, in the order of the backlinks. */
  incoming: Neighbour[];
  /** The targets of the links: those that link back first, those without a page last. */
  outgoing: Neighbour[];
  /** True if there are more backlinks than were read. */
  hasMore: boolean;
}

type NeighbourPages = Pick<PagesApi, "links" | "backlinks">;

export async function readNeighbours(pages: NeighbourPages, pageId: string, signal: AbortSignal): Promise<Neighbours> {
  const [links, backlinks] = await Promise.all([
    pages.links(pageId, signal),
    pages.backlinks(pageId, { limit: MAX_BACKLINKS }, signal),
  ]);
  return { ...neighboursOf(pageId, links, backlinks), hasMore: backlinks.length === MAX_BACKLINKS };
}

/** Omits a page's links to itself and those to permanently deleted pages. */
export function neighboursOf(pageId: string, links: readonly PageLink[], backlinks: readonly Backlink[]): Omit<Neighbours, "hasMore"> {
  const linking = new Set(backlinks.map(({ page_id }) => page_id));
  const outgoing = links
    .filter(({ page_id }) => page_id !== pageId)
    .flatMap((link) => targetOf(link, linking))
    .sort((a, b) => rank(a) - rank(b));
  const linked = new Set(outgoing.map(({ key }) => key));
  const incoming = backlinks
    .filter(({ page_id }) => page_id !== pageId && !linked.has(page_id))
    .map(({ page_id, path, title = null }): Neighbour => ({ key: page_id, path, title, kind: "page", mutual: false, address: wikiUrl(path) }));
  return { incoming, outgoing };
}

function targetOf({ kind, page_id: id = null, path = null, title = null, deleted }: PageLink, linking: ReadonlySet<string>): Neighbour[] {
  if (path === null) return [];
  if (kind === "path" || id === null) {
    return [{ key: `path ${path}`, path, title: null, kind: "missing", mutual: false, address: editUrl(path) }];
  }
  if (deleted) return [{ key: id, path, title: null, kind: "deleted", mutual: false, address: trashedPageUrl(id) }];
  return [{ key: id, path, title, kind: "page", mutual: linking.has(id), address: wikiUrl(path) }];
}

function rank({ kind, mutual }: Neighbour): number {
  if (kind !== "page") return 2;
  return mutual ? 0 : 1;
}
