import { expect, it } from "vitest";
import type { Job } from "../../api/backend";
import type { ShownJob } from "../../jobs";
import { StubHost } from "../../testing/stub-host";
import { outcomeOf } from "./outcome";

function outcome(more: Partial<ShownJob>, result: object = {}) {
  const job = { id: "H1", kind: "verify_hashes", state: "done", done: 0, total: 0, started_at: "2026-11-01T00:00:00Z", ...more } as ShownJob;
  const { tone, lines } = outcomeOf({ ...job, result: result as unknown as NonNullable<Job["result"]> }, new StubHost());
  return [tone, ...lines];
}

it.each<[string, Partial<ShownJob>, object, string[]]>([
  ["all well", {}, { summary: { ok: 3, touched: 1 } }, ["good", "3 files verified", "No problems found"]],
  ["a quick check", {}, { summary: { ok: 3, unread: 12_400 } }, ["good", "3 files verified", "12,400 files are unchanged by size and date, and were not read.", "No changes found. Files that weren’t read may still be damaged."]],
  ["damage", {}, { summary: { ok: 3, corrupt: 1, changed: 2 } }, ["bad", "Corrupt: 1", "Changed: 2", "3 files verified"]],
  ["an edit", {}, { summary: { ok: 0, changed: 1 } }, ["warn", "Changed: 1", "0 files verified"]],
  ["a folder that moved", {}, { summary: { ok: 1, moved: 20 } }, ["plain", "Moved: 20", "1 file verified"]],
  ["damage that recording found", { kind: "record_hashes" }, { summary: { ok: 1, altered: 1 }, written: 1 }, ["bad", "Changed, date put back: 1", "1 file recorded", "1 file verified"]],
  ["edited files that were recorded again", { kind: "record_hashes" }, { summary: { ok: 5 }, written: 4, replaced: 3 }, ["good", "3 files had changed and were recorded again.", "4 files recorded", "5 files verified"]],
  ["a state that is not known here", {}, { summary: { ok: 1, later: 1 } }, ["good", "1 file verified", "No problems found"]],
  ["a folder on another file system", { kind: "record_hashes" }, { summary: { ok: 1 }, written: 1, file_systems: 1 }, ["good", "1 file recorded", "1 file verified", "1 folder on another file system was left out."]],
  ["recorded files", { kind: "record_hashes" }, { summary: { ok: 1 }, written: 2 }, ["good", "2 files recorded", "1 file verified"]],
  ["a preview", { kind: "tidy_hashes" }, { summary: { orphan: 2, unreadable: 1 }, written: 0 }, ["plain", "Preview: 2 records would be moved aside"]],
  ["all well in a folder", {}, { path: "/photos", original: null, summary: { ok: 3 } }, ["good", "3 files verified", "No problems in this folder"]],
  ["a good copy", {}, { path: "/backup", original: "/photos", summary: { ok: 3 } }, ["good", "3 files verified", "No problems: the copy has the recorded contents"]],
  ["a list", { kind: "check_hashes" }, { path: "/photos", summary: { ok: 1, differs: 1 } }, ["bad", "Different: 1", "1 file matches the list"]],
  ["applied changes", { kind: "migrate_hashes" }, { findings: 2, written: 2 }, ["plain", "Changed 2 records."]],
  ["a cancelled run", { state: "cancelled" }, {}, ["plain", "Stopped. What was done so far is kept."]],
  ["a failed run", { state: "failed", error: { code: "hashes_busy", message: "" } }, {}, ["bad", "Hash verification failed. Another program is writing to these hash records. Try again in a moment."]],
])("%s", (_, job, result, words) => {
  expect(outcome(job, result)).toEqual(words);
});
