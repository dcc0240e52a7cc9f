// Embeds as Obsidian writes them: `![[/page]]`, `![[/page#heading]]`, `![[/page#^block]]`, and `![[picture.jpg]]` from
// the page's own files. An embedded page is a link here; the reading view shows the page below it.
import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { setSize, splitSize } from "./pictures";
import { parseWikiLink } from "./links/wiki-links";

const OPEN = "![[";
/**
 * A picture, its text and its size. The characters that start other constructs are excluded: a name with one of them is written
 * as `![](asset:…)`.
 */
const PICTURE = /!\[\[([^`<>$\\:^[\]|\n]+\.(?:png|jpe?g|gif|webp|avif|svg|bmp|tiff?|jxl|heic))(\|[^`<>$\\:^[\]\n]*)?\]\]/iy;

/** A markdown-it plugin. Links must be resolved before its rule for blocks runs. */
export function embeds(md: MarkdownIt): void {
  md.inline.ruler.after("image", "embed", (state, silent) => {
    // The end of a label is found as without embeds, so that no link contains one.
    if (silent || !state.src.startsWith(OPEN, state.pos)) return false;
    return picture(state) || page(state);
  });
  md.core.ruler.after("footnote_tail", "embed_boxes", (state) => {
    state.tokens.forEach((token, index) => {
      const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]];
      if (open?.type !== "paragraph_open" || close?.type !== "paragraph_close" || !isPageAlone(token.children ?? [])) return;
      for (const edge of [open, close]) [edge.tag, edge.hidden] = ["div", false];
      open.attrJoin("class", "embed-box");
    });
  });
}

function page(state: StateInline): boolean {
  const start = state.pos;
  state.pos += 1;
  const count = state.tokens.length;
  if (!parseWikiLink(state, false)) {
    state.pos = start;
    return false;
  }
  const link = state.tokens.slice(count).find(({ type }) => type === "link_open");
  link?.attrJoin("class", "embed");
  return true;
}

function picture(state: StateInline): boolean {
  PICTURE.lastIndex = state.pos;
  const [whole, name = "", more = ""] = PICTURE.exec(state.src) ?? [];
  if (whole === undefined || state.pos + whole.length > state.posMax || name.startsWith("/")) return false;
  const file = name.slice(name.lastIndexOf("/") + 1).trim();
  const split = splitSize(more);
  const token = state.push("image", "img", 0);
  const text = new state.Token("text", "", 0);
  text.content = (split?.text ?? more).replace(/^\|/, "").trim() || file;
  token.attrs = [["src", `asset:${file.replace(/[%?#]/g, encodeURIComponent)}`], ["alt", ""]];
  if (split !== null) setSize(token, split.size);
  [token.children, token.content] = [[text], text.content];
  state.pos += whole.length;
  return true;
}

/** True if the text of a paragraph is an embedded page and nothing else. */
function isPageAlone(children: readonly Token[]): boolean {
  const all = children.filter(({ type, content }) => type !== "text" || content.trim() !== "");
  const [open, text, close] = all;
  const isEmbed = open?.type === "link_open" && open.tag === "a" && String(open.attrGet("class") ?? "") === "embed";
  return isEmbed && text?.type === "text" && close?.type === "link_close" && all.length === 3;
}
