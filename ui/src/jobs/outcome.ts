// The outcome of a job, for display.
import type { Job } from "../api/backend";
import type { Host } from "../api/host";
import { apiError } from "../api/transport/request";

export interface Outcome {
  tone: "good" | "warn" | "bad" | "plain";
  lines: string[];
  /** Further details, shown in the view of the job. */
  details: string[];
}

/** The reason of a job's failure, in a sentence. */
export function reasonOf({ error }: Job, { describe }: Pick<Host, "describe">): string {
  return describe(error ? apiError(error, 0) : null);
}
