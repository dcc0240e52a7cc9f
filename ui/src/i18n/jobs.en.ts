// What is said of work that takes a while in English.
import type { Catalogue } from "./message";

export const jobsEn = {
  "jobs.running": "At work…",
  "jobs.paused": "Paused",
  "jobs.percent": "{percent}% done",
  "jobs.pause": "Pause",
  "jobs.resume": "Go on",
  "jobs.cancel": "Cancel",
  "jobs.failed": "It did not work: {reason}",
} as const satisfies Catalogue;
