// The jobs that a view starts and shows, and the keys that start, pause and cancel each.
import type { Job, JobKind } from "../api/backend";

export const JOB_KEYS = {
  export: { begin: "x", pause: "Shift+x", cancel: "Alt+x" },
  import: { begin: "i", pause: "Shift+i", cancel: "Alt+i" },
  read_notes: { begin: "o", pause: "Shift+o", cancel: "Alt+o" },
  import_notes: { begin: "u", pause: "Shift+u", cancel: "Alt+u" },
  check: { begin: "k", pause: "Shift+k", cancel: "Alt+k" },
  backup: { begin: "b", pause: "Shift+b", cancel: "Alt+b" },
  copy_backup: { begin: "j", pause: "Shift+j", cancel: "Alt+j" },
  go_back: { begin: "Shift+r", pause: "Shift+w", cancel: "Alt+w" },
  cache_gc: { begin: "m", pause: "Shift+m", cancel: "Alt+m" },
  cache_clear: { begin: "c", pause: "Shift+c", cancel: "Alt+c" },
  ttl_run: { begin: "e", pause: "Shift+e", cancel: "Alt+e" },
  record_hashes: { begin: "a", pause: "Shift+a", cancel: "Alt+a" },
  verify_hashes: { begin: "v", pause: "Shift+v", cancel: "Alt+v" },
  check_hashes: { begin: "l", pause: "Shift+l", cancel: "Alt+l" },
  migrate_hashes: { begin: "g", pause: "Shift+g", cancel: "Alt+g" },
  tidy_hashes: { begin: "y", pause: "Shift+y", cancel: "Alt+y" },
  rename_tags: { begin: "n", pause: "Shift+n", cancel: "Alt+n" },
  find_duplicates: { begin: "Shift+u", pause: "Alt+p", cancel: "Alt+u" },
  describe_pictures: { begin: "d", pause: "Shift+d", cancel: "Alt+d" },
} as const satisfies Partial<Record<JobKind, Record<"begin" | "pause" | "cancel", string>>>;

export type ShownKind = keyof typeof JOB_KEYS;
export type ShownJob = Job & { kind: ShownKind };

/** True for these jobs; others are started and followed by programs. */
export function isShown<J extends Pick<Job, "kind">>(job: J): job is J & { kind: ShownKind } {
  return job.kind in JOB_KEYS;
}
