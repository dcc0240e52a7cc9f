// `[[/path]]` and `[[/path|text]]`: the short way to write a link to a page.
import type { MarkdownIt, StateInline } from "markdown-it";
import { decodePath, nameOfPage } from "../page-path";

const OPEN = "[[";
const CLOSE = "]]";

/** A markdown-it plugin; what the link means is left to the rule `link-targets`. */
export function wikiLinks(md: MarkdownIt): void {
  md.inline.ruler.before("link", "wiki_link", parse);
}

function parse(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith(OPEN, state.pos)) return false;
  const end = state.src.indexOf(CLOSE, state.pos + OPEN.length);
  if (end < 0 || end > state.posMax) return false;
  const inner = state.src.slice(state.pos + OPEN.length, end);
  const bar = inner.indexOf("|");
  // In a table the bar has to be written `\|`; it means the same elsewhere.
  const target = (bar < 0 ? inner : inner.slice(0, bar).replace(/\\$/, "")).trim();
  // Anything but a page (a footnote in brackets, an array) is text.
  if (!/^(?:\/|page:)/i.test(target) || /[[\]\n]/.test(inner)) return false;
  if (!silent) write(state, target, bar < 0 ? "" : inner.slice(bar + 1).trim());
  state.pos = end + CLOSE.length;
  return true;
}

function write(state: StateInline, target: string, text: string): void {
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", target]];
  if (text === "" && target.startsWith("/")) open.attrs.push(["title", target]);
  open.markup = "wiki_link";
  state.push("text", "", 0).content = text || decodePath(nameOfPage(target)) || target;
  state.push("link_close", "a", -1).markup = "wiki_link";
}
