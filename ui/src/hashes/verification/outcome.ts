// The result of a run, in words.
import type { HashReport, HashState } from "../../api/hashes";
import type { Host } from "../../api/host";
import { toneOf, troublesOf } from "../../hash-state/severity";
import { countChanges } from "./hash-runs.svelte";
import { nameOf } from "../../jobs/progress";
import { type Outcome, reasonOf } from "../../jobs/outcome";
import type { ShownJob } from "../../jobs/keys";

/** The fields of these jobs' results, which the schema leaves open. */
interface Result {
  /** The file or folder; null for all recorded files. */
  path?: string | null;
  /** The file or folder of which it is a copy. */
  original?: string | null;
  summary?: Partial<Record<HashState | "unread", number>>;
  written?: number;
  replaced?: number;
  file_systems?: number;
}

/** The states of files that were not found in their places: not a problem, but not as recorded either. */
const ELSEWHERE: readonly HashState[] = ["moved", "root_away"];

export function outcomeOf(job: ShownJob, host: Pick<Host, "t" | "describe">): Outcome {
  const { t } = host;
  if (job.state === "cancelled") return { tone: "plain", lines: [t("hashes.stopped")], details: [] };
  if (job.state === "failed") return { tone: "bad", lines: [t("jobs.failed", { what: nameOf(job, host), reason: reasonOf(job, host) })], details: [] };
  const { path = null, original = null, summary = {}, written = 0, replaced = 0, file_systems = 0 } = (job.result ?? {}) as Result;
  if (job.kind === "migrate_hashes" || job.kind === "tidy_hashes") {
    const line = written > 0 ? t("hashes.records_changed", { count: written }) : t("hashes.would_change", { count: countChanges(job.kind, summary) });
    return { tone: "plain", lines: [line], details: [] };
  }
  const troubles = troublesOf(summary);
  const elsewhere = ELSEWHERE.map((state) => ({ state, count: summary[state] ?? 0 })).filter(({ count }) => count > 0);
  const found = [...troubles, ...elsewhere].map(({ state, count }) => t("hashes.state_count", { state: t(`hash_state.${state}`), count }));
  const again = replaced > 0 ? [t("hashes.files_replaced", { count: replaced })] : [];
  const done = job.kind === "record_hashes" ? [...again, t("hashes.files_recorded", { count: written })] : [];
  const leftOut = file_systems > 0 ? [t("hashes.file_systems_left_out", { count: file_systems })] : [];
  const { ok = 0, unread = 0 } = summary;
  const unreadLines = unread > 0 ? [t("hashes.files_unread", { count: unread })] : [];
  const lines = [...found, ...done, t(job.kind === "check_hashes" ? "hashes.files_match" : "hashes.files_ok", { count: ok }), ...unreadLines, ...leftOut];
  if (found.length === 0 && job.kind === "verify_hashes") lines.push(nothingFound({ kind: job.kind, path, original, unread }, host));
  return { tone: toneOfAll(troubles.map(({ state }) => state), elsewhere.length > 0), lines, details: [] };
}

/** Returns the sentence about a run without findings, which names its scope. */
export function nothingFound({ kind, path, original, unread }: Pick<HashReport, "kind" | "path" | "original"> & { unread: number }, { t }: Pick<Host, "t">): string {
  if (kind === "check_hashes") return t("hashes.nothing_found_list");
  if (kind === "record_hashes") return t("hashes.nothing_recorded_again");
  if (unread > 0) return t("hashes.nothing_found_quick");
  if (original !== null) return t("hashes.nothing_found_copy");
  return path === null ? t("hashes.nothing_found") : t("hashes.nothing_found_in");
}

function toneOfAll(troubles: readonly HashState[], isElsewhere: boolean): Outcome["tone"] {
  if (troubles.some((state) => toneOf(state) === "bad")) return "bad";
  if (troubles.length > 0) return "warn";
  return isElsewhere ? "plain" : "good";
}
