// The words of the reading view of pages, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "wiki.title": "Wiki",
  "wiki.go": "Go to Wiki",
  "wiki.edit": "Edit",
  "wiki.loading": "Loading page",
  "wiki.revision": "Revision {revision}",
  "wiki.by": "{time} · {user}",
  "wiki.characters": { one: "{count} character", other: "{count} characters" },
  "wiki.waiting": "Pages you started but haven’t saved:",
  "wiki.state_unsaved": "Unsaved draft",
  "wiki.state_deleted": "In Trash",
  "wiki.being_edited": "{user} is editing",
  "wiki.being_edited_own": "Another window of yours is editing this page",

  "wiki.panel": "Contents and info",
  "wiki.contents": "Contents",
  "wiki.contents_empty": "This page has no headings.",
  "wiki.about": "This page",
  "wiki.id": "ID",
  "wiki.copy_id": "Copy page ID",
  "wiki.save_html": "Save as HTML…",
  "wiki.saved": "Saved as {name}",
  "wiki.copy_markdown": "Copy as Markdown",
  "wiki.markdown_copied": "The page’s Markdown was copied",
  "wiki.markdown_copy_refused": "The browser doesn’t allow copying. Open the editor and copy the text there.",
  "wiki.print": "Print",
  "wiki.copy_link": "Copy permanent link",
  "wiki.copy_hint": "Keeps working when the page moves",
  "wiki.copied": "Copied: {text}",

  "wiki.not_found_title": "This page doesn’t exist yet",
  "wiki.not_found": "There is no page at {path}.",
  "wiki.below": "There is no page here, but there are pages below it:",
  "wiki.below_count": { one: "{count} page below", other: "{count} pages below" },
  "wiki.write": "Create page",
  "wiki.draft": "{user} is writing it now.",
  "wiki.draft_own": "Another window of yours is writing it right now.",
  "wiki.moved_title": "This page has moved",
  "wiki.moved": "It is now at {path}.",
  "wiki.moved_go": "Go to page",
  "wiki.failed_title": "Couldn’t load the page",

  "wiki.old_revision": "This is revision {revision}. The latest is {latest}.",
  "wiki.newest": "Show latest",
  "wiki.deleted": "This page has been deleted. This is its last text.",

  "wiki.edit_here": "Edit here instead",

  "wiki.link_unknown": "This page doesn’t exist yet",
  "wiki.picture_remote": "Picture from the internet (not loaded)",
  "wiki.picture_unknown": "Picture not found",

  "reading.embed_missing": "This page doesn’t exist yet.",
  "reading.embed_cycle": "This page already contains this part.",
  "reading.embed_depth": "Pages within pages are shown up to {count} levels deep.",
  "reading.embed_no_part": "The page has no part named “{part}”.",
  "reading.embed_failed": "Couldn’t show the page: {reason}",
  "reading.fold": "Fold section",
  "reading.fold_all": "Fold or unfold all sections",
  "reading.code_copy": "Copy code",
  "reading.code_copied": "Copied",
  "reading.code_selected": "Press Ctrl+C to copy the selected code.",
  "reading.metadata_syntax": "The fields above the text can’t be read. Line {line}: {reason}",
  "reading.metadata_no_fields": "The text between the lines of dashes isn’t a list of fields (name: value), so it is shown as it is.",
  "reading.metadata_unread": "The fields above the text couldn’t be checked, so they are shown as they are.",

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
  "reading.left_out_mentions": { one: "Footnotes are mentioned {count} time; the first {shown} mentions are links.", other: "Footnotes are mentioned {count} times; the first {shown} mentions are links." },
  "reading.left_out_nesting": "Something here is nested too deeply. Its text is shown without the innermost formatting.",

  "reading.link_deleted": "In Trash – open to restore",
  "reading.diagram": "Diagram, followed by its source",
  "reading.diagram_too_large": "This diagram is not drawn, because that would take too long.",
  "reading.diagram_failed": "Couldn’t draw this diagram: {reason}",
  "reading.math_failed": "Couldn’t render this formula: {reason}",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
