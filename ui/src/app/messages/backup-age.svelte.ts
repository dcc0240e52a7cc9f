// The age of the last proved backup, for the status bar.
import type { Backend } from "../../api/backend";

/** The age from which on a backup is too old, in milliseconds. */
const TOO_OLD = 3 * 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

export class BackupAge {
  /** The time of the last state that was proved; null if there is none, undefined before it was read. */
  lastProved = $state.raw<string | null | undefined>(undefined);
  /** True if a later backup has faults. */
  isLatestFaulty = $state(false);

  constructor(private readonly backend: Pick<Backend, "archive" | "events">) {}

  /** True if the user should make a backup. */
  isAlarming(now: Date): boolean {
    if (this.isLatestFaulty) return true;
    return typeof this.lastProved === "string" && now.getTime() - Date.parse(this.lastProved) > TOO_OLD;
  }

  /** Reads the time, and again when a backup ends; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    const stopping = new AbortController();
    const read = () => void this.#read(stopping.signal);
    read();
    const timer = setInterval(read, HOUR);
    const stops = [
      events.on("job.progress", ({ kind, state }) => {
        if (kind === "backup" && state !== "running") read();
      }),
      events.on("resync", read),
    ];
    return () => {
      stopping.abort();
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }

  async #read(signal: AbortSignal): Promise<void> {
    try {
      const { last_proved, backups } = await this.backend.archive.backups(signal);
      if (signal.aborted) return;
      this.lastProved = last_proved ?? null;
      this.isLatestFaulty = (backups[0]?.proved_at ?? null) === null && backups.length > 0;
    } catch {
      // The settings show the reason; a lost connection is shown by the frame, and the next hour reads it again.
      await Promise.resolve();
    }
  }
}
