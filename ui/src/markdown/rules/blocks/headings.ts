// Gives every heading an anchor and adds it to the page's outline.
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { pageOf } from "../../rendering/context";
import { inOneLine, plainText } from "../inline-tokens";

/** A markdown-it plugin: ids on headings, and a link to itself at each heading's end. */
export function headings(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "headings", (state) => {
    state.tokens.forEach((token, index) => {
      const inline = state.tokens[index + 1];
      if (token.type === "heading_open" && inline?.type === "inline") anchor(state, token, inline);
    });
  });
}

function anchor(state: StateCore, open: Token, inline: Token): void {
  const page = pageOf(state.env);
  const children = inline.children ?? [];
  const text = inOneLine(plainText(children));
  const slug = page.slugs.take(text);
  open.attrSet("id", slug);
  page.outline.push({ level: Number(open.tag.slice(1)), text, slug, line: open.map?.[0] ?? 0 });
  inline.children = [...children, ...selfLink(state, slug)];
}

/** Creates the link, hidden from the keyboard and screen readers until a view makes it usable for them. */
function selfLink(state: StateCore, slug: string): Token[] {
  const open = new state.Token("heading_anchor_open", "a", 1);
  open.attrs = [
    ["class", "anchor"],
    ["href", `#${encodeURIComponent(slug)}`],
    ["aria-hidden", "true"],
    ["tabindex", "-1"],
  ];
  return [open, new state.Token("heading_anchor_close", "a", -1)];
}
