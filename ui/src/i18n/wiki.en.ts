// What the wiki says in English.
import type { Catalogue } from "./message";

export const wikiEn = {
  "wiki.edit": "Edit",
  "wiki.loading": "Loading page",
  "wiki.revision": "Revision {revision}",
  "wiki.by": "{time} · {user}",
  "wiki.characters": { one: "{count} character", other: "{count} characters" },
  "wiki.waiting": "Pages that you began and have not saved:",
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
  "wiki.print": "Print",
  "wiki.copy_link": "Copy permanent link",
  "wiki.copy_hint": "Keeps working when the page moves",
  "wiki.copied": "Copied: {text}",

  "wiki.not_found_title": "This page doesn’t exist yet",
  "wiki.not_found": "There is no page at {path}.",
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
} as const satisfies Catalogue;
