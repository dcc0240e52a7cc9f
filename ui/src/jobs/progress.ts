// The progress and the names of jobs.
import type { Job } from "../api/backend";
import type { Host } from "../api/host";
import { formatNumber } from "../i18n";
import type { ShownJob } from "./keys";

/** The percentage; null if unknown. */
export function percentOf({ done, total }: Pick<Job, "done" | "total">): number | null {
  return total > 0 ? Math.floor((100 * done) / total) : null;
}

/** The state of a running job, in words. */
export function stateOf(job: Job, { t }: Pick<Host, "t">): string {
  const percent = percentOf(job);
  if (job.state === "paused") return t("jobs.paused");
  if (job.state === "queued") return t("jobs.queued");
  return percent === null ? t("jobs.running") : t("jobs.percent", { percent: formatNumber(percent) });
}

/** The job's name. */
export function nameOf({ kind }: Pick<ShownJob, "kind">, { t }: Pick<Host, "t">): string {
  return t(`jobs.${kind}`);
}
