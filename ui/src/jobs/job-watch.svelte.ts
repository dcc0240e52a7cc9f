// The newest job of each kind that a view shows: those running when the page opens, and later ones, until others
// replace them.
import type { Backend, Job } from "../api/backend";
import type { EventMap } from "../api/events/events";
import { isShown, type ShownJob, type ShownKind } from "./keys";

export class JobWatch {
  #jobs = $state.raw<Partial<Record<ShownKind, ShownJob>>>({});
  /** The jobs that were started in this window. */
  readonly #own = new Set<string>();

  /** `onOwnEnd` is called when a job ends that was started here. */
  constructor(
    private readonly backend: Pick<Backend, "jobs" | "events">,
    private readonly onOwnEnd: (job: ShownJob) => void = () => {},
  ) {}

  get(kind: ShownKind): ShownJob | null {
    return this.#jobs[kind] ?? null;
  }

  get atWork(): ShownJob[] {
    return Object.values(this.#jobs).filter((job) => !isEnded(job));
  }

  /** Follows a job that was started here: it may have ended before its first event. */
  async follow(id: string): Promise<void> {
    this.#own.add(id);
    this.#put(await this.backend.jobs.get(id));
  }

  /** Follows the server's events; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    const readAgain = () => void this.#findRunning();
    readAgain();
    const stops = [
      events.on("job.progress", (progress) => void this.#progress(progress)),
      events.on("resync", readAgain),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  async #progress(progress: EventMap["job.progress"]): Promise<void> {
    if (!isShown(progress)) return;
    const { job_id, kind, state, done, total } = progress;
    const current = this.#jobs[kind];
    if (current?.id !== job_id) {
      // If two jobs are running, the shown one stays.
      if (current === undefined || isEnded(current)) await this.#read(job_id);
      return;
    }
    if (isEnded(current)) return;
    if (isEnded({ state })) await this.#read(job_id);
    else this.#put({ ...current, state, done, total });
  }

  /** A failure concerns the connection, which the frame reports; `resync` reads again. */
  async #read(id: string): Promise<void> {
    try {
      this.#put(await this.backend.jobs.get(id));
    } catch {
      await Promise.resolve();
    }
  }

  async #findRunning(): Promise<void> {
    try {
      for (const job of (await this.backend.jobs.list()).reverse()) {
        if (!isEnded(job) || this.#isKnown(job)) this.#put(job);
      }
    } catch {
      // Without the list, events still report later jobs.
    }
  }

  #isKnown(job: Job): boolean {
    return isShown(job) && this.#jobs[job.kind]?.id === job.id;
  }

  #put(job: Job): void {
    if (!isShown(job)) return;
    const current = this.#jobs[job.kind];
    if (current?.id === job.id && isEnded(current)) return;
    this.#jobs = { ...this.#jobs, [job.kind]: job };
    if (isEnded(job) && this.#own.delete(job.id)) this.onOwnEnd(job);
  }
}

export function isEnded({ state }: Pick<Job, "state">): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}
