// Fences of the languages `mermaid`, `gallery`, `album` and `pages`: a diagram, a folder, an album and a list of pages.
// The source is put into a box, in which `live/diagrams.ts` draws the diagram, `live/gallery.ts` shows the pictures, or
// `live/page-lists.ts` the pages.
import type { MarkdownIt } from "markdown-it";

/** The classes of the boxes. */
const BOXES: Readonly<Record<string, string>> = { mermaid: "diagram", gallery: "gallery", album: "gallery album", pages: "page-list" };

/** A markdown-it plugin. */
export function boxedFences(md: MarkdownIt): void {
  const plain = md.renderer.rules["fence"];
  if (plain === undefined) throw new Error("BUG: markdown-it has no rule for fences");
  md.renderer.rules["fence"] = (tokens, index, options, env, self) => {
    const html = plain(tokens, index, options, env, self);
    const [, language = ""] = /^(mermaid|gallery|album|pages)(?:\s|$)/i.exec(tokens[index]?.info ?? "") ?? [];
    const name = BOXES[language.toLowerCase()];
    return name === undefined ? html : `<div class="${name}">${html}</div>\n`;
  };
}
