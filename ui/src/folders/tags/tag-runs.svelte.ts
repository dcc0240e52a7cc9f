// Renamings of tags that this window started: their messages, the undo, and the pictures that failed.
import type { Backend, ErrorBody, PictureTagRename } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { Host } from "../../api/host";
import { apiError } from "../../api/transport/request";
import { sentences } from "../../i18n";
import { reasonOf, type ShownJob } from "../../jobs";

/** A picture that keeps its tags. */
export interface TagFailure {
  path: string;
  error: ErrorBody;
}

/** The result of a job. */
interface TagResult {
  operation: string | null;
  changed: number;
  skipped: number;
  failed: number;
  failures: TagFailure[];
  albums: number;
}

export class TagRuns {
  /** The pictures that the last renaming did not change: some of them, and the number of all. */
  failed = $state.raw<{ failures: readonly TagFailure[]; count: number } | null>(null);
  /** Functions that remove the message about the start, by the job's id. */
  readonly #messages = new Map<string, () => void>();

  constructor(
    private readonly backend: Pick<Backend, "files">,
    private readonly host: Pick<Host, "t" | "toast" | "describe">,
    /** Receives the id of each job that was started. */
    private readonly onbegin: (id: string) => Promise<void>,
  ) {}

  async begin(rename: PictureTagRename): Promise<void> {
    const { id } = await this.backend.files.renameTags(rename);
    this.failed = null;
    this.#messages.set(id, this.host.toast(this.host.t("tags.working"), { tone: "busy", duration: null }));
    await this.onbegin(id);
  }

  /** Reports the result of a job. */
  ended(job: ShownJob, look: () => void | Promise<void>): void {
    this.#messages.get(job.id)?.();
    this.#messages.delete(job.id);
    const { t } = this.host;
    if (job.state === "failed") this.host.toast(sentences(t("tags.failed"), reasonOf(job, this.host)), { tone: "bad", duration: null });
    if (job.state !== "done") return;
    const { operation, changed, skipped, failed, failures, albums } = job.result as unknown as TagResult;
    if (failed > 0) this.failed = { failures, count: failed };
    const words = sentences(
      t("tags.changed", { count: changed }),
      albums > 0 && t("tags.changed_albums", { count: albums }),
      skipped > 0 && t("tags.skipped", { count: skipped }),
      failed > 0 && t("tags.some_failed", { count: failed }),
    );
    const undo = operation === null ? {} : { undo: () => this.#undo(operation) };
    if (failed === 0) this.host.toast(words, { tone: "good", ...undo });
    else this.host.toast(words, { tone: "warn", duration: null, action: { label: t("jobs.look"), run: look }, ...undo });
  }

  async #undo(operation: string, partly = false): Promise<void> {
    const { t } = this.host;
    try {
      const { done, redo } = await this.backend.files.undo(operation, partly);
      this.host.toast(t("tags.undone", { count: done }), redo ? { redo: () => this.#undo(redo) } : {});
    } catch (error) {
      if (!hasCode(error, "changed_since")) throw error;
      // Pictures were moved or deleted since.
      const action = { label: t("files.undo_rest"), run: () => this.#undo(operation, true) };
      this.host.toast(this.host.describe(error), { tone: "warn", duration: null, action });
    }
  }

  /** The reason why a picture was not changed. */
  why({ error }: TagFailure): string {
    return this.host.describe(apiError(error, 0));
  }
}
