// The syntax `[[/path|text]]` for the highlighter, and names in brackets that lead nowhere.
import { tags } from "@lezer/highlight";
import type { MarkdownConfig } from "@lezer/markdown";

const OPEN = 91;
const LINK = /^\[\[(?:\/|page:)[^[\]\n]*\]\]/i;
/** A name alone is text. */
const NAME = /^\[\[[^[\]\n]+\]\](?![[(])/;

export function wikiLinkSyntax(): MarkdownConfig {
  return {
    defineNodes: [
      { name: "WikiLink", style: tags.link },
      { name: "WikiLinkMark", style: tags.processingInstruction },
      { name: "NameWithoutPage", style: tags.invalid },
    ],
    parseInline: [
      {
        name: "WikiLink",
        before: "Link",
        parse(context, next, position) {
          if (next !== OPEN || context.char(position + 1) !== OPEN) return -1;
          const rest = context.slice(position, context.end);
          const link = LINK.exec(rest)?.[0];
          const name = link === undefined ? NAME.exec(rest)?.[0] : undefined;
          if (name !== undefined) return context.addElement(context.elt("NameWithoutPage", position, position + name.length));
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
