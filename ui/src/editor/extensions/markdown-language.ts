// Markdown as the editor reads it: the dialect of ui/src/markdown, and lists and quotes that go on by themselves.
import { markdown, markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { wikiLinkSyntax } from "./wiki-link-syntax";

export function markdownEditing(): Extension {
  return [
    markdown({ base: markdownLanguage, extensions: [wikiLinkSyntax()], addKeymap: false, completeHTMLTags: false }),
    Prec.high(keymap.of(markdownKeymap)),
  ];
}
