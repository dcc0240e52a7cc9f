// How far a job is, and what it is called.
import type { Job } from "../api/backend";
import type { Host } from "../api/host";
import { formatNumber } from "../i18n";
import type { ShownJob } from "./keys";

/** Of a hundred; null where it is not known. */
export function percentOf({ done, total }: Pick<Job, "done" | "total">): number | null {
  return total > 0 ? Math.floor((100 * done) / total) : null;
}

/** How it stands while it is at work, in words. */
export function stateOf(job: Job, { t }: Pick<Host, "t">): string {
  const percent = percentOf(job);
  if (job.state === "paused") return t("jobs.paused");
  return percent === null ? t("jobs.running") : t("jobs.percent", { percent: formatNumber(percent) });
}

/** What it is called. */
export function nameOf({ kind }: Pick<ShownJob, "kind">, { t }: Pick<Host, "t">): string {
  return t(`jobs.${kind}`);
}
