// Markdown as the editor reads it: the dialect of ui/src/markdown, and lists and quotes that go on by themselves.
import { commonmarkLanguage, markdownKeymap } from "@codemirror/lang-markdown";
import { Language } from "@codemirror/language";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { GFM, type MarkdownParser } from "@lezer/markdown";
import { continueMarkup } from "./continue-markup";
import { parseBounds } from "./parse-bounds";
import { wikiLinkSyntax } from "./wiki-link-syntax";

const KEYMAP = [{ key: "Enter", run: continueMarkup }, ...markdownKeymap.filter(({ key }) => key !== "Enter")];

/**
 * `markdown()` of CodeMirror brings HTML, CSS and JavaScript along for what stands inside of a page's raw HTML;
 * a page of a wiki can do without, and opens faster.
 */
export function markdownEditing(): Extension {
  const parser = (commonmarkLanguage.parser as MarkdownParser).configure([GFM, wikiLinkSyntax(), parseBounds()]);
  // With the same data as CodeMirror's own Markdown, its commands for lists know this language as theirs.
  return [new Language(commonmarkLanguage.data, parser, [], "markdown"), Prec.high(keymap.of(KEYMAP))];
}
