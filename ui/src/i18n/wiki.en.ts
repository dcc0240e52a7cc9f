// What the wiki says in English.
import type { Catalogue } from "./message";

export const wikiEn = {
  "wiki.edit": "Edit",
  "wiki.loading": "Loading the page",
  "wiki.revision": "Revision {revision}",
  "wiki.by": "{time} · {user}",
  "wiki.characters": { one: "{count} character", other: "{count} characters" },
  "wiki.waiting": "Pages that you began and have not saved:",
  "wiki.state_unsaved": "Unsaved text is waiting",
  "wiki.state_deleted": "In the bin",
  "wiki.being_edited": "{user} is editing",

  "wiki.being_edited_own": "Another window of yours is editing this page",
  "wiki.panel": "Contents and information",
  "wiki.contents": "Contents",
  "wiki.contents_empty": "This page has no headings.",
  "wiki.about": "This page",
  "wiki.id": "ID",
  "wiki.copy_id": "Copy the page’s ID",
  "wiki.copy_link": "Copy the permanent link",
  "wiki.copy_hint": "Stays right when the page moves",
  "wiki.copied": "Copied: {text}",

  "wiki.not_found_title": "This page is not written yet",
  "wiki.not_found": "There is no page at {path}.",
  "wiki.write": "Write it",
  "wiki.draft": "{user} is writing it right now.",
  "wiki.draft_own": "Another window of yours is writing it right now.",
  "wiki.moved_title": "This page has moved",
  "wiki.moved": "It is at {path} now.",
  "wiki.moved_go": "Go there",
  "wiki.failed_title": "The page could not be shown",

  "wiki.old_revision": "This is revision {revision}; the newest is {latest}.",
  "wiki.newest": "Show the newest",
  "wiki.deleted": "This page has been deleted. What you see is its last text.",

  "wiki.edit_here": "Edit here instead",

  "wiki.link_unknown": "This page is not written yet",
  "wiki.picture_remote": "A picture from the network, not loaded",
  "wiki.picture_unknown": "A picture that cannot be found",
} as const satisfies Catalogue;
