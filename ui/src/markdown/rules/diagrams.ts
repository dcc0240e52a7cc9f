// A fence of the language `mermaid` is a diagram: its source in a box, in which `live/diagrams.ts` draws it.
import type { MarkdownIt } from "markdown-it";

/** A markdown-it plugin. */
export function diagrams(md: MarkdownIt): void {
  const plain = md.renderer.rules["fence"];
  if (plain === undefined) throw new Error("BUG: markdown-it has no rule for fences");
  md.renderer.rules["fence"] = (tokens, index, options, env, self) => {
    const html = plain(tokens, index, options, env, self);
    return /^mermaid(?:\s|$)/i.test(tokens[index]?.info ?? "") ? `<div class="diagram">${html}</div>\n` : html;
  };
}
