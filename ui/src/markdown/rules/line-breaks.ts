// Joins a line that ends between two Japanese characters without a blank: Japanese has none between words.
import type { MarkdownIt, Token } from "markdown-it";
import { isText, rewriteInline } from "./inline-tokens";

/**
 * Kana, kanji, full-width forms and CJK punctuation. Hangul is left out because Korean puts blanks between words. The
 * server joins titles in the same way (crates/wiki/src/pages/title_cjk.rs).
 */
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\u3000-\u30ff\uff01-\uff9f]/u;

/** A markdown-it plugin. Rules that read the words of a text must run after it. */
export function lineBreaks(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "japanese_line_breaks", (state) => {
    rewriteInline(state, (children) =>
      children.filter((token, index) => {
        if (token.type !== "softbreak") return true;
        return !(JAPANESE.test(textBefore(children, index)) && JAPANESE.test(textAfter(children, index)));
      }),
    );
  });
}

/** Returns the last character before a token, through closing and opening marks; "" if there is no text. */
function textBefore(children: Token[], index: number): string {
  const token = neighbour(children, index, -1);
  return Array.from(token?.content.slice(-2) ?? "").at(-1) ?? "";
}

function textAfter(children: Token[], index: number): string {
  const token = neighbour(children, index, 1);
  return Array.from(token?.content.slice(0, 2) ?? "")[0] ?? "";
}

function neighbour(children: Token[], index: number, step: 1 | -1): Token | undefined {
  let at = index + step;
  while (children[at] !== undefined && (children[at]?.nesting !== 0 || children[at]?.content === "")) {
    if (children[at]?.nesting === 0 && !isText(children[at])) return undefined;
    at += step;
  }
  const child = children[at];
  return isText(child) ? child : undefined;
}
