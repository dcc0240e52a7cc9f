// Rolling verification: every recorded file is read again within a number of days.
import type { HashesApi, HashSchedule } from "../../api/hashes";

type Changes = Pick<HashSchedule, "enabled" | "days" | "gib_a_day">;

export class ScheduleState {
  schedule = $state.raw<HashSchedule | null>(null);
  failure = $state.raw<{ reason: unknown } | null>(null);
  #asking = new AbortController();

  constructor(private readonly api: Pick<HashesApi, "schedule" | "setSchedule">) {}

  async read(): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    try {
      const schedule = await this.api.schedule(signal);
      if (signal.aborted) return;
      this.schedule = schedule;
      this.failure = null;
    } catch (reason) {
      if (!signal.aborted) this.failure = { reason };
    }
  }

  /** Stores a changed schedule. Rejects if it can't be saved, and keeps the previous one. */
  async change(changes: Partial<Changes>): Promise<void> {
    if (this.schedule === null) return;
    const { enabled, days, gib_a_day } = this.schedule;
    this.schedule = await this.api.setSchedule({ enabled, days, gib_a_day, ...changes });
  }

  dispose(): void {
    this.#asking.abort();
  }
}
