// The number of expired items of the cache that could not be removed, for the status bar.
import type { Backend } from "../../api/backend";
import type { TtlCounts } from "../../api/ttl";

export class ExpiryErrors {
  count = $state(0);

  constructor(private readonly backend: Pick<Backend, "ttl" | "events">) {}

  note({ error_blobs, error_manifests }: TtlCounts): void {
    this.count = error_blobs + error_manifests;
  }

  /** Reads the count, and follows the events; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    const stopping = new AbortController();
    const read = () => void this.#read(stopping.signal);
    read();
    const stops = [events.on("ttl.run", ({ counts }) => this.note(counts)), events.on("resync", read)];
    return () => {
      stopping.abort();
      for (const stop of stops) stop();
    };
  }

  async #read(signal: AbortSignal): Promise<void> {
    try {
      const { counts } = await this.backend.ttl.state(signal);
      if (!signal.aborted) this.note(counts);
    } catch {
      // The cache view shows the reasons; a lost connection is shown by the frame, and the next run or `resync` reports
      // the count.
      await Promise.resolve();
    }
  }
}
