// The syntax `[[/path|text]]` for the highlighter.
import { tags } from "@lezer/highlight";
import type { MarkdownConfig } from "@lezer/markdown";

const OPEN = 91;
const LINK = /^\[\[(?:\/|page:)[^[\]\n]*\]\]/i;

export function wikiLinkSyntax(): MarkdownConfig {
  return {
    defineNodes: [
      { name: "WikiLink", style: tags.link },
      { name: "WikiLinkMark", style: tags.processingInstruction },
    ],
    parseInline: [
      {
        name: "WikiLink",
        before: "Link",
        parse(context, next, position) {
          if (next !== OPEN || context.char(position + 1) !== OPEN) return -1;
          const link = LINK.exec(context.slice(position, context.end))?.[0];
          if (link === undefined) return -1;
          const end = position + link.length;
          return context.addElement(
            context.elt("WikiLink", position, end, [
              context.elt("WikiLinkMark", position, position + 2),
              context.elt("WikiLinkMark", end - 2, end),
            ]),
          );
        },
      },
    ],
  };
}
