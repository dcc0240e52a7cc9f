// Jobs on hash records: the job that is shown, and the start of new ones. Tidying and migrating are previewed first.
import type { Backend, FilePlace, Job } from "../../api/backend";
import { HASH_JOBS, OWN_FOLDER, type HashJobKind, type HashReport, type HashState, type RecordOptions } from "../../api/hashes";
import type { Host } from "../../api/host";
import { isEnded, type JobWatch, type ShownJob } from "../../jobs";

/** The jobs that change records without reading files. */
export type PreviewedKind = "tidy_hashes" | "migrate_hashes";

export type HashJob = ShownJob & { kind: HashJobKind };

/** The fields of these jobs' results, which the schema leaves open. */
interface Run {
  /** The id of the hash folder. */
  dir?: string;
  dry_run?: boolean;
}

function isOfHashes(job: Job): job is HashJob {
  return HASH_JOBS.some((kind) => kind === job.kind);
}

function readsFiles({ kind }: HashJob): boolean {
  return kind === "verify_hashes" || kind === "record_hashes";
}

export class HashRuns {
  /** Jobs that have ended: those from before the page was opened, and those that newer jobs have replaced. */
  #earlier = $state.raw<readonly HashJob[]>([]);
  /** The hash folders of the jobs that were started here. */
  readonly #dirs = new Map<string, string>();

  constructor(
    private readonly backend: Pick<Backend, "hashes" | "jobs">,
    private readonly watch: JobWatch,
    private readonly host: Host,
    /** Returns the id of the selected hash folder. */
    private readonly dir: () => string,
  ) {}

  /** The running job; of several, the one that started last. */
  get atWork(): HashJob | null {
    return this.#known.find((job) => !isEnded(job)) ?? null;
  }

  /** The most recently started job, of any kind, that has ended. */
  get ended(): HashJob | null {
    return this.#known.find(isEnded) ?? null;
  }

  /** The last recording or verification in the selected hash folder. Previews never replace it. */
  get lastRun(): HashJob | null {
    return this.#known.find((job) => isEnded(job) && readsFiles(job) && this.#dirOf(job) === this.dir()) ?? null;
  }

  /** Returns a job by its id; null if it is unknown. */
  find(id: string): HashJob | null {
    return this.#known.find((job) => job.id === id) ?? null;
  }

  /** Reads the jobs that have already ended: their reports are still available. */
  async findEarlier(): Promise<void> {
    try {
      const jobs = await this.backend.jobs.list();
      this.#earlier = jobs.filter(isOfHashes).filter(isEnded);
    } catch {
      // There is no report to show. Jobs that start from now on are followed nevertheless.
    }
  }

  verify(quick: boolean): Promise<string | null> {
    return this.#begin(() => this.backend.hashes.verify({ dir: this.dir(), quick }));
  }

  /** Compares a copy with the records of its original. */
  verifyCopy(place: FilePlace, original: string): Promise<string | null> {
    return this.#begin(() => this.backend.hashes.verify({ dir: this.dir(), place, original }));
  }

  /** Compares the files of a list with its hashes. */
  check(folder: FilePlace, list: Blob): Promise<string | null> {
    return this.#begin(() => this.backend.hashes.check(folder, list));
  }

  /** Starts a recording, after a confirmation if the records belong to another program. */
  async record(place: FilePlace, options: Pick<RecordOptions, "full" | "other_file_systems">): Promise<string | null> {
    const dir = this.dir();
    const isOwn = dir === OWN_FOLDER;
    if (!isOwn && !(await this.#mayWriteForeign())) return null;
    return this.#begin(() => this.backend.hashes.record(place, { dir, ...options, ...(isOwn ? {} : { confirm_foreign: true }) }));
  }

  /** Starts a dry run, which reports the changes and makes none. */
  preview(kind: PreviewedKind): Promise<string | null> {
    const dir = this.dir();
    return this.#begin(() => this.#change(kind, true, dir), dir);
  }

  /** Applies the previewed changes to the records of a hash folder, after a confirmation. */
  async apply(kind: PreviewedKind, dir: string): Promise<string | null> {
    const { t } = this.host;
    if (dir !== OWN_FOLDER && !(await this.#mayWriteForeign())) return null;
    const isTidy = kind === "tidy_hashes";
    const confirmed = await this.host.confirm({
      title: t(isTidy ? "hashes.tidy_title" : "hashes.migrate_title"),
      message: t(isTidy ? "hashes.tidy_message" : "hashes.migrate_message"),
      confirm: t(isTidy ? "hashes.tidy_confirm" : "hashes.migrate_confirm"),
    });
    return confirmed ? this.#begin(() => this.#change(kind, false, dir), dir) : null;
  }

  /** All known jobs, the latest first. */
  get #known(): HashJob[] {
    const watched = HASH_JOBS.flatMap((kind) => this.watch.get(kind) ?? []).filter(isOfHashes);
    const others = this.#earlier.filter(({ id }) => !watched.some((job) => job.id === id));
    return [...watched, ...others].sort((a, b) => b.started_at.localeCompare(a.started_at));
  }

  /** Returns the hash folder of a job. A job that another client started and that was cancelled names none. */
  #dirOf({ id, result }: HashJob): string {
    return (result as Run | null | undefined)?.dir ?? this.#dirs.get(id) ?? OWN_FOLDER;
  }

  #change(kind: PreviewedKind, dryRun: boolean, dir: string): Promise<string> {
    if (kind === "tidy_hashes") return this.backend.hashes.tidy(dryRun, dir);
    return this.backend.hashes.migrate(dryRun, dir, dir !== OWN_FOLDER && !dryRun);
  }

  #mayWriteForeign(): Promise<boolean> {
    const { t } = this.host;
    return this.host.confirm({ title: t("hashes.foreign_title"), message: t("hashes.foreign_message"), confirm: t("hashes.foreign_confirm"), danger: true });
  }

  /** Returns the job's id; null if the start failed, which is reported to the user. */
  async #begin(start: () => Promise<string>, dir = this.dir()): Promise<string | null> {
    try {
      const id = await start();
      this.#dirs.set(id, dir);
      this.#earlier = this.#known.filter(isEnded);
      await this.watch.follow(id);
      return id;
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
      return null;
    }
  }
}

/** The state of the records that a job changes. Its report also names folders that it could not read. */
const CHANGED_STATES = { tidy_hashes: "orphan", migrate_hashes: "legacy" } as const satisfies Record<PreviewedKind, HashState>;

/** Returns the number of records that a job changes. */
export function countChanges(kind: PreviewedKind, summary: Partial<Record<HashState, number>>): number {
  return summary[CHANGED_STATES[kind]] ?? 0;
}

/** Returns the kind of a preview that can be applied; null if the report is of no such preview, or of no changes. */
export function applicableOf(report: Pick<HashReport, "kind" | "dry_run" | "cancelled" | "summary"> | null): PreviewedKind | null {
  if (report === null || !report.dry_run || report.cancelled) return null;
  const { kind, summary } = report;
  const isPreviewed = kind === "tidy_hashes" || kind === "migrate_hashes";
  return isPreviewed && countChanges(kind, summary) > 0 ? kind : null;
}
