// What making room came to, in words.
import type { Host } from "../api/host";
import { formatBytes } from "../i18n";
import { nameOf, type Outcome, reasonOf, type ShownJob } from "../jobs";

export function outcomeOf(job: ShownJob, host: Pick<Host, "t" | "describe">): Outcome {
  const { t } = host;
  const said = (tone: Outcome["tone"], line: string): Outcome => ({ tone, lines: [line], details: [] });
  if (job.state === "cancelled") return said("plain", t("cache.stopped"));
  if (job.state === "failed") return said("bad", t("jobs.failed", { what: nameOf(job, host), reason: reasonOf(job, host) }));
  // The schema leaves open what a job's result holds; docs/API.md says it for this one.
  const { files = 0, bytes = 0 } = (job.result ?? {}) as { files?: number; bytes?: number };
  return said("good", files === 0 ? t("cache.freed_none") : t("cache.freed", { count: files, size: formatBytes(bytes) }));
}
