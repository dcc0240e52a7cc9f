// A page's whole past in Markdown. The server tells of a thousand revisions at once, and of fewer that had very many
// links; what is asked for piece by piece is put together as if it had come at once.
import type { RevisionsApi } from "../api/backend";

/** The line of a revision, whatever the language; a page's path holds no `?` as it stands in a link. */
const REVISION = /^- \[[^\]]*\]\(.*?\?rev=(\d+)[>)]/gm;

interface Piece {
  head: string;
  list: string;
  /** What is told beneath the list: which older ones were removed, or are not in it. */
  foot: string;
  /** The oldest revision in the list; null when there is none. */
  reaches: number | null;
}

/** All of it, down to the revision `oldest`. */
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
    // They were removed meanwhile: what is told of that comes last.
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
