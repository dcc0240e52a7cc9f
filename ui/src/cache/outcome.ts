// The outcomes of the cache's jobs in words.
import type { Host } from "../api/host";
import type { TtlAmount, TtlCounts } from "../api/ttl";
import { formatBytes } from "../i18n";
import { nameOf, type Outcome, reasonOf, type ShownJob } from "../jobs";
import { errorsOf } from "./labels";

type Speaker = Pick<Host, "t" | "describe">;
type Result = Partial<TtlAmount> & { files?: number; failed?: number; counts?: TtlCounts };

export function outcomeOf(job: ShownJob, host: Speaker): Outcome {
  const { t } = host;
  if (job.state === "cancelled") return outcome("plain", t(job.kind === "ttl_run" ? "cache.ttl_stopped" : "cache.stopped"));
  if (job.state === "failed") return outcome("bad", t("jobs.failed", { what: nameOf(job, host), reason: reasonOf(job, host) }));
  // The schema does not specify a job's result; docs/API.md does for these.
  const result = (job.result ?? {}) as Result;
  if (job.kind === "ttl_run") return expired(result, host);
  return job.kind === "cache_clear" ? cleared(result, host) : freed(result, host);
}

function freed({ files: count = 0, bytes = 0 }: Result, { t }: Speaker): Outcome {
  return outcome("good", count === 0 ? t("cache.freed_none") : t("cache.freed", { count, size: formatBytes(bytes) }));
}

function cleared({ files: count = 0, bytes = 0, failed = 0 }: Result, { t }: Speaker): Outcome {
  const words = count === 0 && failed === 0 ? t("cache.cleared_none") : t("cache.cleared", { count, size: formatBytes(bytes) });
  return withFailures(words, failed, t);
}

function expired({ artifacts: count = 0, bytes = 0, counts }: Result, { t }: Speaker): Outcome {
  const words = count === 0 ? t("cache.ttl_removed_none") : t("cache.ttl_removed", { count, size: formatBytes(bytes) });
  return withFailures(words, counts === undefined ? 0 : errorsOf(counts), t);
}

function withFailures(words: string, count: number, t: Host["t"]): Outcome {
  if (count === 0) return outcome("good", words);
  return outcome("warn", words, t("cache.not_removed", { count }));
}

function outcome(tone: Outcome["tone"], ...lines: string[]): Outcome {
  return { tone, lines, details: [] };
}
