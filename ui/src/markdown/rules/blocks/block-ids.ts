// Block ids as Obsidian writes them: ` ^id` at the end of a paragraph or an item names it for links and embeds, and `^id`
// as a paragraph of its own names the block before it, such as a table. Ids are not displayed.
import type { MarkdownIt, Token } from "markdown-it";

/** A number alone is an exponent. */
const ID = String.raw`\^((?=[0-9-]*[A-Za-z])[A-Za-z0-9-]+)$`;
const AT_END = new RegExp(String.raw`[ \t\u3000]+${ID}`);
const ALONE = new RegExp(`^${ID}`);

/** A markdown-it plugin. */
export function blockIds(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "block_ids", (state) => {
    state.tokens.forEach((token, index) => {
      const paragraph = state.tokens[index - 1];
      if (token.type !== "inline" || paragraph?.type !== "paragraph_open") return;
      const id = takeId(token.children ?? []);
      if (id === null) return;
      const isAlone = token.children?.length === 0;
      const item = state.tokens[index - 2];
      const named = !isAlone && item?.type === "list_item_open" ? item : paragraph;
      named.attrSet("id", `^${id}`);
      if (isAlone) markBefore(paragraph, state.tokens[index + 1]);
    });
  });
}

/** Removes the id at the end of a text; null if there is none. */
function takeId(children: Token[]): string | null {
  const [before, last] = children.slice(-2).length === 2 ? children.slice(-2) : [undefined, children.at(-1)];
  if (last?.type !== "text") return null;
  const [whole, id = null] = AT_END.exec(last.content) ?? [];
  if (whole !== undefined) {
    last.content = last.content.slice(0, -whole.length);
    return id;
  }
  const isLine = before === undefined || before.type === "softbreak" || before.type === "hardbreak";
  const [, ownId = null] = isLine ? (ALONE.exec(last.content) ?? []) : [];
  if (ownId !== null) children.splice(-2);
  return ownId;
}

/** Makes a paragraph an empty mark behind the block that it names. */
function markBefore(open: Token, close: Token | undefined): void {
  for (const edge of [open, close]) if (edge !== undefined) [edge.tag, edge.hidden] = ["div", false];
  open.attrJoin("class", "block-id");
}
