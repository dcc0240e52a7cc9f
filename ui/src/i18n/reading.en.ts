// What reading a page says in English: tasks, links to the page, code, formulas, diagrams, pictures of others.
import type { Catalogue } from "./message";

export const readingEn = {
  "reading.task_moved_on": "The page has changed in the meantime. The task wasn’t ticked; this is the latest text.",
  "reading.task_failed": "{reason} The task wasn’t ticked.",

  "reading.backlinks": "Links to this page",
  "reading.backlinks_loading": "Loading links to this page",
  "reading.backlinks_empty": "No page links here yet.",
  "reading.backlinks_failed": "Couldn’t load the links.",
  "reading.backlinks_more": "Show more",
  "reading.key_backlinks_more": "Show more links to this page",

  "reading.map": "Link map",
  "reading.map_show": "Show or hide link map",
  "reading.map_loading": "Loading link map",
  "reading.map_empty": "No links to or from this page.",
  "reading.map_incoming": "Incoming links",
  "reading.map_outgoing": "Outgoing links",
  "reading.map_mutual": "The pages link to each other",
  "reading.map_more": { one: "{count} more page", other: "{count} more pages" },
  "reading.map_rest": "More pages",

  "reading.mentions": "Mentions without a link",
  "reading.mentions_loading": "Loading mentions",
  "reading.mentions_empty": "No other page mentions this one without a link to it.",
  "reading.mentions_failed": "Couldn’t load the mentions.",
  "reading.mentions_more": "Show more",

  "reading.anchor_copy": "Copy link to this section",
  "reading.picture_open": "Open in browser",
  "reading.left_out_columns": { one: "The table has {count} column; the first {shown} are shown.", other: "The table has {count} columns; the first {shown} are shown." },
  "reading.left_out_notes": { one: "The page has {count} footnote; the first {shown} are shown.", other: "The page has {count} footnotes; the first {shown} are shown." },
  "reading.left_out_nesting": "Something here is nested too deeply. Its text is shown without the innermost formatting.",

  "reading.link_deleted": "This page is in the Trash; the link leads to where it can be restored",
  "reading.diagram": "Diagram, followed by its source",
  "reading.diagram_failed": "Couldn’t draw this diagram: {reason}",
  "reading.math_failed": "Couldn’t render this formula: {reason}",
} as const satisfies Catalogue;
