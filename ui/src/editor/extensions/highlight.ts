// The colours of Markdown while it is written; weight and ink before colour, as on the page itself.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

export function markdownHighlight(): Extension {
  return syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.heading1, fontWeight: "650", fontSize: "1.3em" },
      { tag: tags.heading2, fontWeight: "650", fontSize: "1.15em" },
      { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], fontWeight: "650" },
      { tag: tags.strong, fontWeight: "650" },
      // Scripts without a slanted form show emphasis by weight.
      { tag: tags.emphasis, fontStyle: "italic", fontWeight: "500" },
      { tag: tags.strikethrough, textDecoration: "line-through" },
      { tag: tags.link, color: "var(--indigo)" },
      { tag: tags.url, color: "var(--ink-soft)" },
      { tag: tags.monospace, fontFamily: "var(--font-mono)", fontSize: "0.92em" },
      { tag: tags.quote, color: "var(--ink-soft)" },
      { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName, tags.meta], color: "var(--ink-faint)" },
      { tag: tags.atom, color: "var(--indigo)" },
      { tag: [tags.tagName, tags.angleBracket, tags.attributeName, tags.comment], color: "var(--ink-faint)" },
      { tag: tags.character, color: "var(--amber)" },
    ]),
  );
}
