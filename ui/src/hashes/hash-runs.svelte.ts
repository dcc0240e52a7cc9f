// Jobs on hash records: which one is shown, and starting others. Tidying and migrating are previewed first.
import type { Backend, FilePlace, Job } from "../api/backend";
import { HASH_JOBS, OWN_FOLDER, type HashJobKind } from "../api/hashes";
import type { Host } from "../api/host";
import { isEnded, type JobWatch, type ShownJob } from "../jobs";

/** The jobs that change records without reading files. */
export type PreviewedKind = "tidy_hashes" | "migrate_hashes";

type HashJob = ShownJob & { kind: HashJobKind };

function isOfHashes(job: Job): job is HashJob {
  return HASH_JOBS.some((kind) => kind === job.kind);
}

export class HashRuns {
  #previews = $state.raw<ReadonlySet<string>>(new Set());
  /** A job that had ended before the page came. */
  #earlier = $state.raw<HashJob | null>(null);

  constructor(
    private readonly backend: Pick<Backend, "hashes" | "jobs">,
    private readonly watch: JobWatch,
    private readonly host: Host,
    /** The hash folder that is shown. */
    private readonly dir: () => string,
  ) {}

  /** The job that began last. */
  get latest(): HashJob | null {
    const jobs = HASH_JOBS.flatMap((kind) => this.watch.get(kind) ?? []).filter(isOfHashes);
    const [latest] = jobs.sort((a, b) => b.started_at.localeCompare(a.started_at));
    return latest ?? this.#earlier;
  }

  /** Looks for a job that has ended already: its report is still there. */
  async findEarlier(): Promise<void> {
    try {
      const jobs = await this.backend.jobs.list();
      this.#earlier = jobs.filter(isOfHashes).find(isEnded) ?? null;
    } catch {
      // Then there is no report to show; what begins from now on is followed all the same.
    }
  }

  /** The report of a run that ended; a failed one has none. */
  get reported(): string | null {
    const { latest } = this;
    return latest !== null && isEnded(latest) && latest.state !== "failed" ? latest.id : null;
  }

  /** The kind of the latest job if it was a preview that can be applied. */
  get applicable(): PreviewedKind | null {
    const { latest } = this;
    if (latest === null || latest.state !== "done" || !this.isPreview(latest.id)) return null;
    return latest.kind === "tidy_hashes" || latest.kind === "migrate_hashes" ? latest.kind : null;
  }

  isPreview(job: string): boolean {
    return this.#previews.has(job);
  }

  verify(full: boolean): Promise<boolean> {
    return this.#begin(() => this.backend.hashes.verify({ dir: this.dir(), full }));
  }

  /** Asks first where the records are another program's. */
  async record(place: FilePlace, full: boolean): Promise<boolean> {
    const dir = this.dir();
    const isOwn = dir === OWN_FOLDER;
    if (!isOwn && !(await this.#mayWriteForeign())) return false;
    return this.#begin(() => this.backend.hashes.record(place, { dir, full, ...(isOwn ? {} : { confirm_foreign: true }) }));
  }

  /** Reports what would be done, and changes nothing. */
  preview(kind: PreviewedKind): Promise<boolean> {
    return this.#begin(() => this.#change(kind, true), true);
  }

  async apply(kind: PreviewedKind): Promise<boolean> {
    const { t } = this.host;
    if (this.dir() !== OWN_FOLDER && !(await this.#mayWriteForeign())) return false;
    const isTidy = kind === "tidy_hashes";
    const confirmed = await this.host.confirm({
      title: t(isTidy ? "hashes.tidy_title" : "hashes.migrate_title"),
      message: t(isTidy ? "hashes.tidy_message" : "hashes.migrate_message"),
      confirm: t(isTidy ? "hashes.tidy_confirm" : "hashes.migrate_confirm"),
    });
    return confirmed && this.#begin(() => this.#change(kind, false));
  }

  #change(kind: PreviewedKind, dryRun: boolean): Promise<string> {
    const dir = this.dir();
    if (kind === "tidy_hashes") return this.backend.hashes.tidy(dryRun, dir);
    return this.backend.hashes.migrate(dryRun, dir, dir !== OWN_FOLDER && !dryRun);
  }

  #mayWriteForeign(): Promise<boolean> {
    const { t } = this.host;
    return this.host.confirm({ title: t("hashes.foreign_title"), message: t("hashes.foreign_message"), confirm: t("hashes.foreign_confirm"), danger: true });
  }

  /** False where it failed, which the person is told. */
  async #begin(start: () => Promise<string>, isPreview = false): Promise<boolean> {
    try {
      const id = await start();
      if (isPreview) this.#previews = new Set(this.#previews).add(id);
      await this.watch.follow(id);
      return true;
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
      return false;
    }
  }
}
