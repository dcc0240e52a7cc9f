// What is said of work that takes a while in English.
import type { Catalogue } from "./message";

export const jobsEn = {
  "jobs.running": "At work…",
  "jobs.paused": "Paused",
  "jobs.percent": "{percent}% done",
  "jobs.pause": "Pause",
  "jobs.resume": "Go on",
  "jobs.cancel": "Cancel",
  "jobs.failed": "It did not work. {reason}",
  "jobs.backup": "Backup",
  "jobs.export": "Export",
  "jobs.import": "Import",
  "jobs.cache_gc": "Clean-up of thumbnails",
  "jobs.pause_this": "Pause or go on: {what}",
  "jobs.cancel_this": "Cancel: {what}",
  "jobs.how_far": "{what}: {state}",
  "jobs.several": { one: "{count} job at work", other: "{count} jobs at work" },
  "jobs.show": "Show it in the settings",
  "jobs.ended": "{what} finished.",
  "jobs.ended_badly": "{what} did not work.",
  "jobs.look": "Show",
} as const satisfies Catalogue;
