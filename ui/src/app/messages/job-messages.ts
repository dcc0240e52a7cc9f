// The messages about jobs that were started in this window: their start, and their outcome.
import type { DesktopNotification } from "../../api/backend";
import type { ToastOptions } from "../../api/host";
import { HASH_JOBS } from "../../api/hashes";
import { outcomeOf } from "../../hashes/verification/outcome";
import { errorMessage, t } from "../../i18n";
import type { ShownJob, ShownKind } from "../../jobs/keys";
import { isLong } from "../../jobs/long-work";
import { reasonOf } from "../../jobs/outcome";
import { nameOf } from "../../jobs/progress";
import { jobAddress } from "./job-routes";

interface MessageHost {
  /** Returns a function that removes the message. */
  toast(message: string, options?: ToastOptions): () => void;
  navigate(address: string): void | Promise<void>;
}

export class JobMessages {
  /** Functions that remove the message about a job's start, by the job's id. */
  readonly #startMessages = new Map<string, () => void>();
  /** Functions that remove the message about the last job of a kind. */
  readonly #endMessages = new Map<ShownKind, () => void>();

  constructor(private readonly host: MessageHost) {}

  /** The message stays no longer than the job runs. */
  started(id: string, message: string): void {
    this.#startMessages.set(id, this.host.toast(message));
  }

  /** Reports the outcome of a job, unless it `isSeen` in the current view. */
  ended(job: ShownJob, isSeen: boolean): void {
    this.#startMessages.get(job.id)?.();
    this.#startMessages.delete(job.id);
    this.#endMessages.get(job.kind)?.();
    this.#endMessages.delete(job.kind);
    // An export needs no message: the user waits for it.
    if (isSeen || job.kind === "export" || job.state === "cancelled") return;
    const { message, ...options } = endOf(job);
    const action = { label: t("jobs.look"), run: () => this.host.navigate(jobAddress(job)) };
    this.#endMessages.set(job.kind, this.host.toast(message, { ...options, action }));
  }
}

/** The desktop notification about the end of a job; null for a short job, and for one that the user cancelled. */
export function jobNotification(job: ShownJob): DesktopNotification | null {
  if (job.state === "cancelled" || !isLong(job)) return null;
  const reason = job.state === "failed" ? reasonOf(job, { describe: errorMessage }) : "";
  return { title: endOf(job).message, body: reason, address: jobAddress(job) };
}

/** Messages about damage or loss stay until they are closed. */
function endOf(job: ShownJob): { message: string } & Pick<ToastOptions, "tone" | "duration"> {
  const what = nameOf(job, { t });
  if (job.state === "failed") return { message: t("jobs.ended_badly", { what }), tone: "bad" };
  if (!HASH_JOBS.some((kind) => kind === job.kind)) return { message: t("jobs.ended", { what }), tone: "good" };
  const { tone, lines } = outcomeOf(job, { t, describe: errorMessage });
  const message = t("jobs.ended_with", { what, outcome: lines.join(" · ") });
  return tone === "bad" || tone === "warn" ? { message, tone, duration: null } : { message, tone };
}
