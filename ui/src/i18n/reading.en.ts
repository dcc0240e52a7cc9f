// What reading a page says in English: tasks, links to the page, code, formulas, diagrams, pictures of others.
import type { Catalogue } from "./message";

export const readingEn = {
  "reading.task_moved_on": "The page has changed in the meantime. Nothing was ticked; this is the newest text.",
  "reading.task_failed": "{reason} Nothing was ticked.",

  "reading.backlinks": "Links to this page",
  "reading.backlinks_loading": "Looking for links to this page",
  "reading.backlinks_empty": "No page links here yet.",
  "reading.backlinks_failed": "The links could not be looked up.",
  "reading.backlinks_more": "Show more",
  "reading.key_backlinks_more": "Show more pages that link here",

  "reading.anchor_copy": "Copy the permanent link to this section",
  "reading.picture_open": "Open in the browser",

  "reading.left_out_columns": { one: "The table has {count} column; the first {shown} are shown.", other: "The table has {count} columns; the first {shown} are shown." },
  "reading.left_out_notes": { one: "The page has {count} footnote; the first {shown} are shown.", other: "The page has {count} footnotes; the first {shown} are shown." },
  "reading.left_out_nesting": "Something here is nested too deeply. Its text is shown without the innermost formatting.",

  "reading.diagram": "Diagram; its source follows",
  "reading.diagram_failed": "This diagram cannot be drawn: {reason}",
  "reading.math_failed": "This formula cannot be set: {reason}",
} as const satisfies Catalogue;
