// Bounds on what the highlighter parses at once: the time that it takes for a paragraph or for nested blocks grows with
// their square, and it can't be interrupted within one. What is beyond has no colours, and is written as everything else.
import type { BlockContext, Line, MarkdownConfig } from "@lezer/markdown";

/** Characters of a line or a paragraph. */
const LONGEST = 10_000;
/** Blocks within each other. */
const DEEPEST = 50;

export function parseBounds(): MarkdownConfig {
  return {
    parseBlock: [
      {
        name: "ParseBounds",
        before: "LinkReference",
        parse: takePlain,
        endLeaf: (_context, line, leaf) => leaf.content.length + line.text.length > LONGEST,
      },
    ],
  };
}

/** Takes the rest of a line that is too long or too deep. */
function takePlain(context: BlockContext, line: Line): boolean {
  if (line.text.length <= LONGEST && context.depth <= DEEPEST) return false;
  const start = context.lineStart + line.pos;
  const end = context.lineStart + line.text.length;
  if (end > start) context.addElement(context.elt("Paragraph", start, end));
  context.nextLine();
  return true;
}
