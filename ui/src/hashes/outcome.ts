// What a run came to, in words.
import type { HashState } from "../api/hashes";
import type { Host } from "../api/host";
import { isToDecide, LOOKS } from "../hash-state";
import { nameOf, type Outcome, reasonOf, type ShownJob } from "../jobs";

/** What the schema leaves open of these jobs' results. */
interface Result {
  summary?: Partial<Record<HashState, number>>;
  findings?: number;
  written?: number;
}

export function outcomeOf(job: ShownJob, host: Pick<Host, "t" | "describe">): Outcome {
  const { t } = host;
  if (job.state === "cancelled") return { tone: "plain", lines: [t("hashes.stopped")], details: [] };
  if (job.state === "failed") return { tone: "bad", lines: [t("jobs.failed", { what: nameOf(job, host), reason: reasonOf(job, host) })], details: [] };
  const { summary = {}, findings = 0, written = 0 } = (job.result ?? {}) as Result;
  if (job.kind === "migrate_hashes" || job.kind === "tidy_hashes") {
    const line = written > 0 ? t("hashes.records_changed", { count: written }) : t("hashes.would_change", { count: findings });
    return { tone: "plain", lines: [line], details: [] };
  }
  const found = (Object.entries(summary) as [HashState, number][]).filter(([state, count]) => state in LOOKS && count > 0);
  const lines = [t("hashes.files_ok", { count: summary.ok ?? 0 })];
  if (job.kind === "record_hashes") lines.unshift(t("hashes.files_recorded", { count: written }));
  const troubles = found.filter(([state]) => state !== "ok" && (isToDecide(state) || LOOKS[state].tone !== "plain"));
  if (troubles.length === 0 && job.kind === "verify_hashes") lines.push(t("hashes.nothing_found"));
  for (const [state, count] of troubles) lines.push(t("hashes.state_count", { state: t(`hash_state.${state}`), count }));
  return { tone: troubles.some(([state]) => LOOKS[state].tone === "bad") ? "bad" : troubles.length > 0 ? "warn" : "good", lines, details: [] };
}
