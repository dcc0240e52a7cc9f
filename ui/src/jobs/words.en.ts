// The words of jobs, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "jobs.running": "Working…",
  "jobs.paused": "Paused",
  "jobs.queued": "Waiting for other jobs to end…",
  "jobs.percent": "{percent}% done",
  "jobs.pause": "Pause",
  "jobs.resume": "Resume",
  "jobs.cancel": "Cancel",
  "jobs.failed": "{what} failed. {reason}",
  "jobs.check": "Check",
  "jobs.backup": "Backup",
  "jobs.copy_backup": "Copy of a backup",
  "jobs.go_back": "Going back to a backup",
  "jobs.export": "Export",
  "jobs.import": "Import",
  "jobs.read_notes": "Reading of notes",
  "jobs.import_notes": "Import of notes",
  "jobs.cache_gc": "Thumbnail cleanup",
  "jobs.cache_clear": "Clearing of the cache",
  "jobs.ttl_run": "Expiry run",
  "jobs.move_files": "Move of files",
  "jobs.copy_files": "Copy of files",
  "jobs.bin_files": "Move to the trash",
  "jobs.undo_files": "Undo",
  "jobs.export_pictures": "Export of pictures",
  "jobs.contact_sheet": "Contact sheet",
  "jobs.record_hashes": "Hash recording",
  "jobs.verify_hashes": "Hash verification",
  "jobs.migrate_hashes": "Update of record names",
  "jobs.check_hashes": "Check of a list",
  "jobs.tidy_hashes": "Tidying of records",
  "jobs.mark_files": "Change of ratings, tags and other marks",
  "jobs.find_pictures": "Search for pictures of albums",
  "jobs.rename_tags": "Change of tags",
  "jobs.find_duplicates": "Search for duplicates",
  "jobs.describe_pictures": "Description of pictures",
  "jobs.pause_this": "Pause or resume: {what}",
  "jobs.cancel_this": "Cancel: {what}",
  "jobs.how_far": "{what}: {state}",
  "jobs.several": { one: "{count} task running", other: "{count} tasks running" },
  "jobs.show": "Show task",
  "jobs.ended": "{what} finished",
  "jobs.ended_with": "{what} finished. {outcome}",
  "jobs.ended_badly": "{what} failed",
  "jobs.look": "Show",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
