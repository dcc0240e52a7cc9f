// The newest job of each kind, as it stands: those at work when one comes, and those that begin afterwards.
import type { Backend, Job, JobKind } from "../api/backend";
import type { EventMap } from "../api/events";

export class JobWatch {
  #jobs = $state.raw<Partial<Record<JobKind, Job>>>({});

  constructor(private readonly backend: Pick<Backend, "jobs" | "events">) {}

  get(kind: JobKind): Job | null {
    return this.#jobs[kind] ?? null;
  }

  /** Follows a job that was begun here: it may have ended before anything is told of it. */
  async follow(id: string): Promise<void> {
    this.#put(await this.backend.jobs.get(id));
  }

  /** Follows what the server tells; returns how to stop. */
  listen(): () => void {
    const { events } = this.backend;
    const lookAgain = () => void this.#findRunning();
    lookAgain();
    const stops = [
      events.on("job.progress", (progress) => void this.#progress(progress)),
      events.on("resync", lookAgain),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  async #progress({ job_id, kind, state, done, total }: EventMap["job.progress"]): Promise<void> {
    const known = this.#jobs[kind];
    const isKnown = known?.id === job_id;
    if (isKnown && !isEnded(known) && !isEnded({ state })) this.#put({ ...known, state, done, total });
    else if (!isKnown || !isEnded(known)) await this.#read(job_id);
  }

  /** A failure concerns the connection, which the frame tells; `resync` looks again. */
  async #read(id: string): Promise<void> {
    try {
      await this.follow(id);
    } catch {
      await Promise.resolve();
    }
  }

  async #findRunning(): Promise<void> {
    try {
      for (const job of (await this.backend.jobs.list()).reverse()) {
        if (!isEnded(job) || this.#jobs[job.kind]?.id === job.id) this.#put(job);
      }
    } catch {
      // As above: without the list, what begins from now on is told by events all the same.
    }
  }

  #put(job: Job): void {
    const known = this.#jobs[job.kind];
    if (known?.id === job.id && isEnded(known)) return;
    this.#jobs = { ...this.#jobs, [job.kind]: job };
  }
}

export function isEnded({ state }: Pick<Job, "state">): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}
