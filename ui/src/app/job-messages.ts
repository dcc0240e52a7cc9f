// The messages about jobs that were begun in this window: that one has begun, and what it came to.
import type { ToastOptions } from "../api/host";
import { HASH_JOBS } from "../api/hashes";
import { outcomeOf } from "../hashes/outcome";
import { errorMessage, t } from "../i18n";
import type { ShownJob, ShownKind } from "../jobs/keys";
import { nameOf } from "../jobs/progress";
import { jobAddress } from "./routes";

interface Shown {
  /** Returns how to take the message back. */
  toast(message: string, options?: ToastOptions): () => void;
  navigate(address: string): void | Promise<void>;
}

export class JobMessages {
  /** Takes back the message that a job began, by the job's id. */
  readonly #begun = new Map<string, () => void>();
  /** Takes back the message about the last job of a kind. */
  readonly #ended = new Map<ShownKind, () => void>();

  constructor(private readonly shown: Shown) {}

  /** The message stays no longer than the job runs. */
  begun(id: string, message: string): void {
    this.#begun.set(id, this.shown.toast(message));
  }

  /** Says what a job came to, unless that `isSeen` where the person is. */
  ended(job: ShownJob, isSeen: boolean): void {
    this.#begun.get(job.id)?.();
    this.#begun.delete(job.id);
    this.#ended.get(job.kind)?.();
    this.#ended.delete(job.kind);
    // An export is what one waits for.
    if (isSeen || job.kind === "export" || job.state === "cancelled") return;
    const { message, ...options } = endOf(job);
    const action = { label: t("jobs.look"), run: () => this.shown.navigate(jobAddress(job)) };
    this.#ended.set(job.kind, this.shown.toast(message, { ...options, action }));
  }
}

/** What damage or loss is told of stays until it is closed. */
function endOf(job: ShownJob): { message: string } & Pick<ToastOptions, "tone" | "duration"> {
  const what = nameOf(job, { t });
  if (job.state === "failed") return { message: t("jobs.ended_badly", { what }), tone: "bad" };
  if (!HASH_JOBS.some((kind) => kind === job.kind)) return { message: t("jobs.ended", { what }), tone: "good" };
  const { tone, lines } = outcomeOf(job, { t, describe: errorMessage });
  const message = t("jobs.ended_with", { what, outcome: lines.join(" · ") });
  return tone === "bad" || tone === "warn" ? { message, tone, duration: null } : { message, tone };
}
