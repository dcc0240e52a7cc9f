// Tables: each in a box that scrolls by itself, columns aligned by classes (pages carry no styles of their own).
import type { MarkdownIt, Token } from "markdown-it";

/** A markdown-it plugin. */
export function tables(md: MarkdownIt): void {
  md.renderer.rules["table_open"] = (tokens, index, options, _env, self) =>
    `<div class="table-scroll">${self.renderToken(tokens, index, options)}`;
  md.renderer.rules["table_close"] = (tokens, index, options, _env, self) =>
    `${self.renderToken(tokens, index, options)}</div>\n`;
  md.core.ruler.push("table_alignment", (state) => {
    for (const token of state.tokens) if (token.type === "th_open" || token.type === "td_open") align(token);
  });
}

function align(cell: Token): void {
  const side = /^text-align:(left|center|right)$/.exec(String(cell.attrGet("style") ?? ""))?.[1];
  if (side === undefined) return;
  cell.attrs = (cell.attrs ?? []).filter(([name]) => name !== "style");
  cell.attrJoin("class", `align-${side}`);
}
