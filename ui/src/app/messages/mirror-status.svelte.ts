// The state of the mirror, for the status bar.
import type { Backend } from "../../api/backend";

export class MirrorStatus {
  /** The number of files that were edited outside. */
  count = $state(0);
  /** True if the mirror is not up to date. */
  hasFailed = $state(false);

  constructor(private readonly backend: Pick<Backend, "mirror" | "events">) {}

  /** Reads the state, and again when it changes; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    const stopping = new AbortController();
    const read = () => void this.#read(stopping.signal);
    read();
    const stops = [events.on("mirror.changed", read), events.on("resync", read)];
    return () => {
      stopping.abort();
      for (const stop of stops) stop();
    };
  }

  async #read(signal: AbortSignal): Promise<void> {
    try {
      const { is_on, outside, failure } = await this.backend.mirror.state(signal);
      if (signal.aborted) return;
      this.count = is_on ? outside.length : 0;
      this.hasFailed = is_on && failure !== null && failure !== undefined;
    } catch {
      // The settings show the reason; a lost connection is shown by the frame, and the next event reads it again.
      await Promise.resolve();
    }
  }
}
