// What is said of work that takes a while in English.
import type { Catalogue } from "./message";

export const jobsEn = {
  "jobs.running": "Working…",
  "jobs.paused": "Paused",
  "jobs.percent": "{percent}% done",
  "jobs.pause": "Pause",
  "jobs.resume": "Resume",
  "jobs.cancel": "Cancel",
  "jobs.failed": "{what} failed. {reason}",
  "jobs.backup": "Backup",
  "jobs.export": "Export",
  "jobs.import": "Import",
  "jobs.cache_gc": "Thumbnail cleanup",
  "jobs.record_hashes": "Hash recording",
  "jobs.verify_hashes": "Hash verification",
  "jobs.migrate_hashes": "Update of record names",
  "jobs.tidy_hashes": "Tidying of records",
  "jobs.describe_pictures": "Description of pictures",
  "jobs.pause_this": "Pause or resume: {what}",
  "jobs.cancel_this": "Cancel: {what}",
  "jobs.how_far": "{what}: {state}",
  "jobs.several": { one: "{count} task running", other: "{count} tasks running" },
  "jobs.show": "Show task",
  "jobs.ended": "{what} finished",
  "jobs.ended_badly": "{what} failed",
  "jobs.look": "Show",
} as const satisfies Catalogue;
