// An import of notes from another program: reading the source, the preview, the import, undoing it.
import type { Backend, ImportPreview, Job } from "../api/backend";
import type { Host } from "../api/host";
import { isEnded, type JobWatch, reasonOf } from "../jobs";

type Phase =
  | { name: "reading"; job: string }
  | { name: "preview"; preview: ImportPreview }
  | { name: "importing"; job: string; preview: ImportPreview }
  | { name: "done"; result: ImportResult }
  | { name: "failed"; reason: string };

/** The result of the job that imports (docs/API.md, "Imports from other programs"). */
export interface ImportResult {
  /** Null if nothing has changed since the last import of the source. */
  id: string | null;
  counts: { created: number; updated: number; unchanged: number; kept: number; attached: number; files_unchanged: number; files_kept: number };
  skipped: number;
  report: string | null;
}

export class NotesImport {
  phase = $state.raw<Phase | null>(null);
  /** The page below which the pages are put, as the user writes it. */
  into = $state("");
  complaint = $state<string | null>(null);

  constructor(
    private readonly backend: Pick<Backend, "imports" | "jobs">,
    private readonly watch: JobWatch,
    private readonly host: Pick<Host, "describe" | "toast">,
  ) {}

  get isOpen(): boolean {
    return this.phase !== null;
  }

  /** Reads a source. */
  async read(source: Parameters<Backend["imports"]["read"]>[0]): Promise<void> {
    const job = await this.backend.imports.read(source);
    this.complaint = null;
    this.phase = { name: "reading", job };
    await this.watch.follow(job);
  }

  /** Reads the preview for another page below which the pages are put. */
  async place(): Promise<void> {
    if (this.phase?.name !== "preview" || this.into.trim() === this.phase.preview.into) return;
    try {
      const preview = await this.backend.imports.preview(this.phase.preview.id, this.into.trim());
      this.complaint = null;
      this.phase = { name: "preview", preview };
    } catch (error) {
      this.complaint = this.host.describe(error);
    }
  }

  async run(): Promise<void> {
    await this.place();
    if (this.phase?.name !== "preview" || this.complaint !== null) return;
    const { preview } = this.phase;
    try {
      const job = await this.backend.imports.run(preview.id, preview.into);
      this.phase = { name: "importing", job, preview };
      await this.watch.follow(job);
    } catch (error) {
      this.complaint = this.host.describe(error);
    }
  }

  /** Ends the dialog. What is being read is given up; an import goes on. */
  async close(): Promise<void> {
    const { phase } = this;
    this.phase = null;
    if (phase?.name === "reading") await this.#cancel(phase.job);
  }

  /** Cancels the import; nothing has changed then. */
  async cancel(): Promise<void> {
    if (this.phase?.name === "importing") await this.#cancel(this.phase.job);
  }

  async #cancel(job: string): Promise<void> {
    try {
      await this.backend.jobs.cancel(job);
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  }

  /** Goes on when a job has ended. */
  advance(job: Job | null): void {
    const { phase } = this;
    if (job === null || !isEnded(job)) return;
    if ((phase?.name !== "reading" && phase?.name !== "importing") || phase.job !== job.id) return;
    if (job.state === "cancelled") this.phase = null;
    else if (job.state === "failed" && phase.name === "importing") {
      this.complaint = reasonOf(job, this.host);
      this.phase = { name: "preview", preview: phase.preview };
    } else if (job.state === "failed") this.phase = { name: "failed", reason: reasonOf(job, this.host) };
    else if (phase.name === "reading") {
      const preview = job.result as unknown as ImportPreview;
      this.into = preview.into;
      this.phase = { name: "preview", preview };
    } else this.phase = { name: "done", result: job.result as unknown as ImportResult };
  }
}
