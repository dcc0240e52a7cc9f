// The orphaned assets, read a part at a time and updated by events, as reactive state.
import type { Asset, Backend } from "../api/backend";

const PART = 100;
const SETTLE = 100;

export class OrphanedAssets {
  state = $state<"loading" | "ready" | "failed">("loading");
  /** The reason of the failure. */
  error = $state.raw<unknown>(null);
  items = $state.raw<readonly Asset[]>([]);
  hasMore = $state(false);
  #limit = PART;
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Pick<Backend, "assets" | "events">) {}

  async read(): Promise<void> {
    this.#reading?.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const items: Asset[] = [];
      // An item beyond the limit indicates that there are more.
      while (items.length <= this.#limit) {
        const part = await this.backend.assets.orphans({ offset: items.length, limit: PART + 1 }, signal);
        items.push(...part);
        if (part.length <= PART) break;
      }
      if (signal.aborted) return;
      this.items = items.slice(0, this.#limit);
      this.hasMore = items.length > this.#limit;
      this.state = "ready";
    } catch (error) {
      // The earlier list stays: the frame reports a lost connection.
      if (signal.aborted || this.state === "ready") return;
      this.error = error;
      this.state = "failed";
    }
  }

  async readMore(): Promise<void> {
    this.#limit += PART;
    await this.read();
  }

  /** Reads everything again, with the loading state. */
  async retry(): Promise<void> {
    this.state = "loading";
    await this.read();
  }

  /** Reads, and follows the server's events; returns a function that stops it. */
  listen(): () => void {
    void this.read();
    const soon = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.read(), SETTLE);
    };
    const stops = [this.backend.events.on("asset.changed", soon), this.backend.events.on("resync", soon)];
    return () => {
      clearTimeout(this.#timer);
      this.#reading?.abort();
      for (const stop of stops) stop();
    };
  }
}
