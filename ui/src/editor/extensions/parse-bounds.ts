// Bounds on the highlighter's parser: its time for a paragraph or for nested blocks grows with their square, and it
// cannot be interrupted within one. Text beyond the bounds has no colours, and is edited like any other.
import type { BlockContext, Line, MarkdownConfig } from "@lezer/markdown";

/** The greatest number of characters of a line or a paragraph. */
const MAX_LENGTH = 10_000;
/** The greatest depth of nested blocks. */
const DEEPEST = 50;

export function parseBounds(): MarkdownConfig {
  return {
    parseBlock: [
      {
        name: "ParseBounds",
        before: "LinkReference",
        parse: takePlain,
        endLeaf: (_context, line, leaf) => leaf.content.length + line.text.length > MAX_LENGTH,
      },
    ],
  };
}

/** Consumes the rest of a line that is too long or too deep. */
function takePlain(context: BlockContext, line: Line): boolean {
  if (line.text.length <= MAX_LENGTH && context.depth <= DEEPEST) return false;
  const start = context.lineStart + line.pos;
  const end = context.lineStart + line.text.length;
  if (end > start) context.addElement(context.elt("Paragraph", start, end));
  context.nextLine();
  return true;
}
