// What a job came to, as it is shown.
import type { Job } from "../api/backend";
import type { Host } from "../api/host";
import { apiError } from "../api/request";

export interface Outcome {
  tone: "good" | "warn" | "bad" | "plain";
  lines: string[];
  /** What one may want to look at afterwards. */
  details: string[];
}

/** Why a job failed, in a sentence. */
export function reasonOf({ error }: Job, { describe }: Pick<Host, "describe">): string {
  return describe(error ? apiError(error, 0) : null);
}
