// Block ids as Obsidian writes them: ` ^id` at the end of a paragraph or an item names it for links and embeds, and is
// not displayed.
import type { MarkdownIt } from "markdown-it";

/** A number alone is an exponent. */
const BLOCK_ID = /[ \t\u3000]+\^([A-Za-z0-9-]*[A-Za-z][A-Za-z0-9-]*)$/;

/** A markdown-it plugin. */
export function blockIds(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "block_ids", (state) => {
    state.tokens.forEach((token, index) => {
      const paragraph = state.tokens[index - 1];
      const last = token.children?.at(-1);
      if (token.type !== "inline" || paragraph?.type !== "paragraph_open" || last?.type !== "text") return;
      const [whole, id] = BLOCK_ID.exec(last.content) ?? [];
      if (whole === undefined || id === undefined) return;
      last.content = last.content.slice(0, -whole.length);
      const item = state.tokens[index - 2];
      (item?.type === "list_item_open" ? item : paragraph).attrSet("id", `^${id}`);
    });
  });
}
