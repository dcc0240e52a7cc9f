// A part of the list of pages whose paths start with a text, in either direction from a cursor.
import type { PageListItem, PagesApi } from "../api/backend";
import { normalizePagePath } from "../markdown/links/page-path";
import type { ListPlace } from "./address";

export interface PagePart {
  items: PageListItem[];
  /** True if there are others before these; `hasAfter` applies to those after them. */
  hasBefore: boolean;
  hasAfter: boolean;
}

export const PART = 100;

/** A prefix of paths, which may end within a name, or with a slash; null if no path starts so. */
interface Beginning {
  /** The common parent page. */
  above: string;
  text: string;
}

function beginningOf(prefix: string): Beginning | null {
  const typed = prefix.trim().normalize("NFC");
  const text = typed.startsWith("/") ? typed : `/${typed}`;
  const above = normalizePagePath(text.slice(0, text.lastIndexOf("/")) || "/");
  if (above === null) return null;
  const segment = text.slice(text.lastIndexOf("/"));
  return { above, text: above === "/" ? segment : above + segment };
}

/** Reads one part. The server lists the subpages of a page; an incomplete name is a range of that list. */
export async function readPart(api: Pick<PagesApi, "list">, { prefix, cursor }: ListPlace, signal?: AbortSignal): Promise<PagePart> {
  const beginning = beginningOf(prefix);
  if (beginning === null) return { items: [], hasBefore: false, hasAfter: false };
  const { above, text } = beginning;
  const fits = ({ path }: PageListItem) => path.startsWith(text) || (text.endsWith("/") && path === above);
  if (cursor !== null && "before" in cursor) {
    const { items, has_more } = await api.list({ prefix: above, rewind: cursor.before, limit: PART }, signal);
    const fitting = items.filter(fits);
    return { items: fitting, hasBefore: has_more && fitting.length === items.length, hasAfter: true };
  }
  if (cursor !== null) return { ...(await forward(api, above, cursor.after, fits, signal)), hasBefore: true };
  return { ...(await first(api, beginning, fits, signal)), hasBefore: false };
}

type Fits = (item: PageListItem) => boolean;
type Forward = Pick<PagePart, "items" | "hasAfter">;

async function forward(api: Pick<PagesApi, "list">, above: string, after: string | null, fits: Fits, signal?: AbortSignal): Promise<Forward> {
  const query = { prefix: above, limit: PART, ...(after !== null && { forward: after }) };
  const { items, has_more } = await api.list(query, signal);
  const fitting = items.filter(fits);
  return { items: fitting, hasAfter: has_more && fitting.length === items.length };
}

async function first(api: Pick<PagesApi, "list">, { above, text }: Beginning, fits: Fits, signal?: AbortSignal): Promise<Forward> {
  const whole = normalizePagePath(text);
  // A text that ends with a slash matches all subpages, and the page itself.
  if (text.endsWith("/")) return forward(api, above, null, fits, signal);
  if (whole === null) return { items: [], hasAfter: false };
  // The cursor excludes its own page, so that one is requested separately.
  const [own, rest] = await Promise.all([
    api.list({ prefix: whole, limit: 1 }, signal),
    forward(api, above, whole, fits, signal),
  ]);
  return { items: [...own.items.filter(({ path }) => path === whole), ...rest.items], hasAfter: rest.hasAfter };
}
