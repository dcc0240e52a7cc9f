// A page's whole history in Markdown. The server returns at most a thousand revisions at once, and fewer if they have
// very many links; the parts are joined as if they had arrived at once.
import type { RevisionsApi } from "../api/backend";

/** The line of a revision in any language; a page's path in a link contains no `?`. */
const REVISION = /^- \[[^\]]*\]\(.*?\?rev=(\d+)[>)]/gm;

interface Piece {
  head: string;
  list: string;
  /** The text below the list: older revisions that were removed, or are not in it. */
  foot: string;
  /** The oldest revision in the list; null when there is none. */
  reaches: number | null;
}

/** Returns all of it, down to the revision `oldest`. */
export async function wholeHistory({ markdown }: Pick<RevisionsApi, "markdown">, pageId: string, oldest: number): Promise<string> {
  const first = await markdown(pageId);
  let last = pieceOf(first);
  const { head } = last;
  const lists = [last.list];
  while (last.reaches !== null && last.reaches > oldest) {
    last = pieceOf(await markdown(pageId, { before: last.reaches }));
    lists.push(last.list);
  }
  return lists.length === 1 ? first : head + lists.join("") + last.foot;
}

function pieceOf(text: string): Piece {
  const revisions = [...text.matchAll(REVISION)];
  const [newest, oldest] = [revisions.at(0), revisions.at(-1)];
  if (newest === undefined || oldest === undefined) {
    // They were removed meanwhile: the text about that comes last.
    return { head: text, list: "", foot: text.slice(text.lastIndexOf("\n\n") + 1), reaches: null };
  }
  const gap = text.indexOf("\n\n", oldest.index);
  const end = gap < 0 ? text.length : gap + 1;
  return {
    head: text.slice(0, newest.index),
    list: text.slice(newest.index, end),
    foot: text.slice(end),
    reaches: Number(oldest[1]),
  };
}
