// The Markdown dialect of Fumikura: CommonMark, tables, strikethrough, marks, subscripts and
// superscripts, task lists, footnotes, definition lists, callouts, formulas, diagrams, galleries, lists of
// pages, tags, links between pages,
// embedded pages.
import createMarkdown, { type MarkdownIt } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import definitionLists from "markdown-it-deflist";
import marks from "markdown-it-mark";
import { assets } from "../rules/assets";
import { bareAddresses } from "../rules/links/bare-addresses";
import { blockIds } from "../rules/blocks/block-ids";
import { boxedFences } from "../rules/blocks/boxed-fences";
import { callouts } from "../rules/blocks/callouts";
import { embeds } from "../rules/embeds";
import { footnotes } from "../rules/blocks/footnotes";
import { frontMatter } from "../rules/blocks/front-matter";
import { headings } from "../rules/blocks/headings";
import { lineBreaks } from "../rules/line-breaks";
import { linkLabels } from "../rules/links/link-labels";
import { linkTargets } from "../rules/links/link-targets";
import { math } from "../rules/math";
import { pictures } from "../rules/pictures";
import { rawTags } from "../rules/raw-tags";
import { scripts } from "../rules/scripts";
import { tags } from "../rules/tags";
import { tables } from "../rules/blocks/tables";
import { taskLists } from "../rules/blocks/task-lists";
import { wikiLinks } from "../rules/links/wiki-links";

/**
 * Creates the parser. Raw HTML passes through it and is cleaned by `sanitize.ts`; its output never reaches the screen
 * uncleaned.
 */
export function createParser(): MarkdownIt {
  const md = createMarkdown({ html: true });
  return md
    .use(cjkFriendly)
    .use(linkLabels)
    .use(rawTags)
    .use(footnotes)
    .use(definitionLists)
    .use(marks)
    .use(scripts)
    .use(frontMatter)
    .use(math)
    .use(boxedFences)
    .use(wikiLinks)
    .use(tags)
    .use(embeds)
    .use(blockIds)
    .use(bareAddresses)
    .use(headings)
    .use(linkTargets)
    .use(assets)
    .use(pictures)
    .use(taskLists)
    .use(tables)
    .use(lineBreaks)
    .use(callouts);
}
