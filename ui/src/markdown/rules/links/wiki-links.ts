// The short form of a link to a page: `[[/path]]` and `[[/path|text]]`.
import type { MarkdownIt, StateInline } from "markdown-it";
import { decodePath, nameOfPage, normalizePagePath } from "../../links/page-path";
import { pageOf } from "../../rendering/context";

const OPEN = "[[";
const CLOSE = "]]";
/** A page by its path or its id. Anything else (a footnote in brackets, an array) is text. */
const TARGET = /\[\[[^\S\n]*(?:\/|page:)[^[\]\n]*\]\]/iy;

/** A block id without `#`, as the store reads it (`crates/wiki/src/markdown/unescape.rs`). */
const BLOCK = /^([^?#]*)(\^(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]+)$/s;

/** A markdown-it plugin. The rule `link-targets` resolves the link. */
export function wikiLinks(md: MarkdownIt): void {
  md.inline.ruler.before("link", "wiki_link", parseWikiLink);
}

/** Parses a link at the position of the state. */
export function parseWikiLink(state: StateInline, silent: boolean): boolean {
  TARGET.lastIndex = state.pos;
  if (!state.src.startsWith(OPEN, state.pos) || !TARGET.test(state.src)) return false;
  const end = TARGET.lastIndex - CLOSE.length;
  if (end > state.posMax) return false;
  const inner = state.src.slice(state.pos + OPEN.length, end);
  const bar = inner.indexOf("|");
  // In a table the bar has to be written `\|`; elsewhere that form means the same.
  const target = (bar < 0 ? inner : inner.slice(0, bar).replace(/\\$/, "")).trim().replace(BLOCK, "$1#$2");
  if (!silent) write(state, target, bar < 0 ? "" : inner.slice(bar + 1).trim());
  state.pos = end + CLOSE.length;
  return true;
}

function write(state: StateInline, target: string, text: string): void {
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", target]];
  if (text === "" && target.startsWith("/")) open.attrs.push(["title", target]);
  open.markup = "wiki_link";
  state.push("text", "", 0).content = text || bareLabel(target, pageOf(state.env).words.titleOfPage);
  state.push("link_close", "a", -1).markup = "wiki_link";
}

/** Returns the text of a link without its own: the title of the page if it is known, or else the last segment of its path. */
export function bareLabel(target: string, titleOfPage?: (path: string) => string | null): string {
  const tail = tailOf(target);
  const path = normalizePagePath(decodePath(target.slice(0, target.length - tail.length)));
  const title = path === null ? null : (titleOfPage?.(path) ?? null);
  if (title !== null) return title + shownTail(tail);
  return (decodePath(nameOfPage(target.slice(0, target.length - tail.length))) || target.slice(0, target.length - tail.length)) + shownTail(tail);
}

/** The part of a label that names a heading. The id of a block says nothing to a reader. */
export function shownTail(tail: string): string {
  return tail.startsWith("#^") ? "" : decodePath(tail);
}

/** Returns the query and the fragment of a target. */
export function tailOf(target: string): string {
  return /[?#].*$/s.exec(target)?.[0] ?? "";
}
