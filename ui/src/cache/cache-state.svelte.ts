// What the thumbnails take up, kept right by what the server tells, as reactive state.
import type { Backend, CacheState } from "../api/backend";

export class CacheReading {
  /** What was read last; null before anything was. */
  state = $state.raw<CacheState | null>(null);
  /** Why it could not be read, while there is nothing to show. */
  failure = $state.raw<{ reason: unknown } | null>(null);
  #reading: AbortController | null = null;

  constructor(private readonly backend: Pick<Backend, "cache" | "events">) {}

  async read(): Promise<void> {
    this.#reading?.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const state = await this.backend.cache.stats(signal);
      if (signal.aborted) return;
      this.state = state;
      this.failure = null;
    } catch (reason) {
      // What was read before stays: the frame tells when the server is away.
      if (!signal.aborted && this.state === null) this.failure = { reason };
    }
  }

  /** Reads, and follows what the server tells; returns how to stop. */
  listen(): () => void {
    const again = () => void this.read();
    again();
    const stops = [this.backend.events.on("cache.stats", again), this.backend.events.on("resync", again)];
    return () => {
      this.#reading?.abort();
      for (const stop of stops) stop();
    };
  }
}
