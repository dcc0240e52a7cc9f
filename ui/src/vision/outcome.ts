// The result of a job that describes pictures.
import type { Job } from "../api/backend";
import type { Host } from "../api/host";
import { type ErrorBody, apiError } from "../api/transport/request";
import { failureText } from "./failure";
import { nameOf, type Outcome, type ShownJob } from "../jobs";

interface DescribeResult {
  described: number;
  /** The number of described pictures whose answers were already stored. */
  cached: number;
  failed: number;
  /** The first hundred failures. */
  failures: readonly { path: string; error: ErrorBody }[];
}

/** Reads a job's result, of which the schema specifies no fields. */
export function resultOf({ result }: Pick<Job, "result">): DescribeResult {
  const fields = (result ?? {}) as unknown as Partial<DescribeResult>;
  return { described: fields.described ?? 0, cached: fields.cached ?? 0, failed: fields.failed ?? 0, failures: fields.failures ?? [] };
}

/** Returns the reason why a whole job failed. */
export function reasonText({ error }: Pick<Job, "error">, host: Pick<Host, "t" | "describe">): string {
  return failureText(error ? apiError(error, 0) : null, host);
}

export function outcomeOf(job: ShownJob, host: Pick<Host, "t" | "describe">): Outcome {
  const { t } = host;
  if (job.state === "cancelled") return { tone: "plain", lines: [t("vision.stopped")], details: [] };
  if (job.state === "failed") {
    return { tone: "bad", lines: [t("jobs.failed", { what: nameOf(job, host), reason: reasonText(job, host) }), t("vision.kept")], details: [] };
  }
  const { described, cached, failed, failures } = resultOf(job);
  const lines = [t("vision.described", { count: described })];
  if (cached > 0) lines.push(t("vision.cached_count", { count: cached }));
  if (failed > 0) lines.push(t("vision.failed_count", { count: failed }));
  const details = failures.map(({ path, error }) => t("vision.failed_one", { path, reason: failureText(apiError(error, 0), host) }));
  return { tone: failed > 0 ? "warn" : "good", lines, details };
}
