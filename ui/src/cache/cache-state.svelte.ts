// The contents of the cache and its expiry, updated by the server's events, as reactive state.
import type { Backend, CacheState } from "../api/backend";
import type { TtlState } from "../api/ttl";

abstract class Reading<T> {
  /** The last answer; null before the first one. */
  state = $state.raw<T | null>(null);
  /** The reason why it could not be read, while there is nothing to show. */
  failure = $state.raw<{ reason: unknown } | null>(null);
  #reading: AbortController | null = null;

  protected abstract ask(signal: AbortSignal): Promise<T>;

  async read(): Promise<void> {
    this.#reading?.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const state = await this.ask(signal);
      if (signal.aborted) return;
      this.state = state;
      this.failure = null;
    } catch (reason) {
      // The earlier state stays: the frame reports a lost connection.
      if (!signal.aborted && this.state === null) this.failure = { reason };
    }
  }

  protected stop(): void {
    this.#reading?.abort();
  }
}

/** The usage of the thumbnails. */
export class CacheUsage extends Reading<CacheState> {
  constructor(private readonly backend: Pick<Backend, "cache" | "events">) {
    super();
  }

  protected ask(signal: AbortSignal): Promise<CacheState> {
    return this.backend.cache.stats(signal);
  }

  /** Reads, and follows the events; returns a function that stops it. */
  listen(): () => void {
    const again = () => void this.read();
    again();
    const stops = [this.backend.events.on("cache.stats", again), this.backend.events.on("resync", again)];
    return () => {
      this.stop();
      for (const stop of stops) stop();
    };
  }
}

/** The server scans all artifacts for an answer: while thumbnails change, this is the shortest interval of requests. */
const PAUSE = 1_000;

/** Expiry of the cache. */
export class ExpiryState extends Reading<TtlState> {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Pick<Backend, "ttl" | "events">) {
    super();
  }

  protected ask(signal: AbortSignal): Promise<TtlState> {
    return this.backend.ttl.state(signal);
  }

  /** Reads, and follows the events; also those of the cache unless `toCache` is false. Returns a function that stops it. */
  listen({ toCache = true } = {}): () => void {
    const { events } = this.backend;
    const again = () => void this.read();
    again();
    const stops = [events.on("ttl.run", again), events.on("resync", again)];
    if (toCache) stops.push(events.on("cache.stats", () => this.#readSoon()));
    return () => {
      this.stop();
      clearTimeout(this.#timer);
      for (const stop of stops) stop();
    };
  }

  #readSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.read();
    }, PAUSE);
  }
}
