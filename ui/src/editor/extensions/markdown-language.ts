// The editor's Markdown parser: the dialect of ui/src/markdown, with automatic continuation of lists and quotes.
import { commonmarkLanguage, markdownKeymap } from "@codemirror/lang-markdown";
import { Language } from "@codemirror/language";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { GFM, type MarkdownParser } from "@lezer/markdown";
import { continueMarkup } from "./continue-markup";
import { parseBounds } from "./parse-bounds";
import { wikiLinkSyntax } from "./links/wiki-link-syntax";

const KEYMAP = [{ key: "Enter", run: continueMarkup }, ...markdownKeymap.filter(({ key }) => key !== "Enter")];

/**
 * CodeMirror's `markdown()` includes HTML, CSS and JavaScript for raw HTML in a page; a wiki's page does without them,
 * and opens faster.
 */
export function markdownEditing(): Extension {
  const parser = (commonmarkLanguage.parser as MarkdownParser).configure([GFM, wikiLinkSyntax(), parseBounds()]);
  // With the same data as CodeMirror's own Markdown, its list commands recognize this language.
  return [new Language(commonmarkLanguage.data, parser, [], "markdown"), Prec.high(keymap.of(KEYMAP))];
}
