// Fences of the languages `mermaid` and `gallery`: a diagram and a folder. The source is put into a box, in which
// `live/diagrams.ts` draws the diagram, or `live/gallery.ts` shows the pictures.
import type { MarkdownIt } from "markdown-it";

/** The classes of the boxes. */
const BOXES: Readonly<Record<string, string>> = { mermaid: "diagram", gallery: "gallery" };

/** A markdown-it plugin. */
export function boxedFences(md: MarkdownIt): void {
  const plain = md.renderer.rules["fence"];
  if (plain === undefined) throw new Error("BUG: markdown-it has no rule for fences");
  md.renderer.rules["fence"] = (tokens, index, options, env, self) => {
    const html = plain(tokens, index, options, env, self);
    const [, language = ""] = /^(mermaid|gallery)(?:\s|$)/i.exec(tokens[index]?.info ?? "") ?? [];
    const name = BOXES[language.toLowerCase()];
    return name === undefined ? html : `<div class="${name}">${html}</div>\n`;
  };
}
