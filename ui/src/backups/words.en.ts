// The words of the view of a backup, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "backups.title": "Backup",
  "backups.of": "Backup of {time}",
  "backups.about": "Nothing in the backup changes. A page that you bring back gets a new revision; its present text stays in its history.",
  "backups.go_back": "Go back to this backup…",
  "backups.go_back_title": "Go back to {time}?",
  "backups.go_back_message": "All pages, their history and files, Trash and settings of the wiki will be those of {time}. First the present data are backed up, so you can come back. This takes place at the next start of Fumikura; until then you can change your mind in the settings. What you write until then is not in the backup.",
  "backups.go_back_confirm": "Back up, then go back",
  "backups.filter": "Filter by path or title",
  "backups.filter_focus": "Filter the pages",
  "backups.loading": "Reading the backup…",
  "backups.unread": "The backup couldn’t be read",
  "backups.none": "No page of this backup matches",
  "backups.empty": "This backup has no pages",
  "backups.count": { one: "{count} page", other: "{count} pages" },
  "backups.first": { one: "The first {count} page; filter to find others", other: "The first {count} pages; filter to find others" },
  "backups.same": "Same as now",
  "backups.changed": "Changed since",
  "backups.deleted": "In Trash now",
  "backups.missing": "Doesn’t exist now",
  "backups.all": "All pages of this backup",
  "backups.saved": "Saved {time}",
  "backups.path_then": "Was at {path}",
  "backups.bring_back": "Bring this page back",
  "backups.bring_back_same": "The page has this text now.",
  "backups.bring_back_changed": "The page gets this text as a new revision.",
  "backups.bring_back_deleted": "The page returns from Trash with this text.",
  "backups.bring_back_missing": "The page is created again at {path}. Its earlier revisions stay in the backup.",
  "backups.revised": "{page} has its text of the backup again",
  "backups.restored": "{page} is back from Trash",
  "backups.created": "{page} is back",
  "backups.unchanged": "{page} already has this text",
  "backups.files_back": { one: "with {count} file", other: "with {count} files" },
  "backups.files_damaged": { one: "{count} file is damaged in the backup and didn’t come back", other: "{count} files are damaged in the backup and didn’t come back" },
  "backups.open_page": "Open page",
  "backups.failed": "The page wasn’t brought back. {reason}",
  "backups.path_taken": "The page wasn’t brought back: another page is at {path} now. Rename that page, then try again.",
  "backups.difference": "Difference from now",
  "backups.text": "Text in the backup",
  "backups.equal": "The text is the same as now.",
  "backups.files": "Files in the backup",
  "backups.file_same": "The page has this file",
  "backups.file_back": "Bring back",
  "backups.file_back_of": "Bring {name} back",
  "backups.file_added": "{name} is back on its page",
  "backups.file_replaced": "{name} is back. The page’s present file is among its deleted files.",
  "backups.file_failed": "{name} wasn’t brought back. {reason}",
  "backups.file_needs_page": "Bring the page back first; its missing files come with it.",
} as const satisfies Catalogue;

type Words = typeof words;

declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
