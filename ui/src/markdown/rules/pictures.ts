// Sizes and captions of pictures: `![Deer|200](asset:deer.jpg "In autumn")`, `![[deer.jpg|200x150]]`. A picture alone in
// its paragraph is a figure, and its title is the caption.
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { isText, plainText, rewriteInline } from "./inline-tokens";

/** The end of a text that sets a size, in pixels. Zero and more than four digits are text. */
const SIZE = /\|[ \t]*([1-9]\d{0,3})(?:[x×]([1-9]\d{0,3}))?[ \t]*$/;

/** The file of a page; other pictures are not shown. */
const ASSET = /^asset:/i;

/** A width, and a height if it is set. */
export interface PictureSize {
  width: string;
  height: string | undefined;
}

/** Splits the text of a picture at its size; null without one. */
export function splitSize(text: string): { text: string; size: PictureSize } | null {
  const [whole, width, height] = SIZE.exec(text) ?? [];
  return whole === undefined || width === undefined ? null : { text: text.slice(0, -whole.length), size: { width, height } };
}

/** Sets the size of a picture. In a box of both sides it is shown whole. */
export function setSize(token: Token, { width, height }: PictureSize): void {
  token.attrSet("width", width);
  if (height === undefined) return;
  token.attrSet("height", height);
  token.attrJoin("class", "boxed");
}

/** A markdown-it plugin. */
export function pictures(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "pictures", (state) => {
    rewriteInline(state, (children) => {
      for (const token of children) if (token.type === "image") readSize(token);
      return children;
    });
    makeFigures(state);
  });
}

/** Takes the size from the end of the alternative text. Marks there make it text. */
function readSize(token: Token): void {
  const children = token.children ?? [];
  const split = splitSize(plainText(children));
  if (split === null) return;
  let left = plainText(children).length - split.text.length;
  const shortened = [...children];
  while (left > 0) {
    const last = shortened.pop();
    if (last === undefined || !isText(last) || last.type === "code_inline") return;
    const rest = last.content.slice(0, Math.max(0, last.content.length - left));
    left -= last.content.length - rest.length;
    if (rest !== "") shortened.push(Object.assign(Object.create(Object.getPrototypeOf(last) as object) as Token, last, { content: rest }));
  }
  token.children = shortened;
  setSize(token, split.size);
}

function makeFigures(state: StateCore): void {
  state.tokens.forEach((inline, index) => {
    const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]];
    if (open?.type !== "paragraph_open" || close?.type !== "paragraph_close") return;
    const picture = pictureAlone(inline.children ?? []);
    const caption = String(picture?.attrGet("title") ?? "").trim();
    if (picture === null || caption === "") return;
    for (const edge of [open, close]) [edge.tag, edge.hidden] = ["figure", false];
    picture.attrs = (picture.attrs ?? []).filter(([name]) => name !== "title");
    const text = new state.Token("text", "", 0);
    text.content = caption;
    const edges = ([1, -1] as const).map((nesting) => new state.Token("figcaption", "figcaption", nesting));
    inline.children = [...(inline.children ?? []), edges[0], text, edges[1]].filter((token) => token !== undefined);
  });
}

/** The picture of a paragraph with nothing else, except a link around it. Runs before destinations are resolved. */
function pictureAlone(children: readonly Token[]): Token | null {
  const all = children.filter(({ type, content }) => type !== "text" || content.trim() !== "");
  const [first, second, third] = all;
  const picture = all.length === 3 && first?.type === "link_open" && third?.type === "link_close" ? second : all.length === 1 ? first : undefined;
  return picture?.type === "image" && ASSET.test(String(picture.attrGet("src") ?? "")) ? picture : null;
}
