// The files of one page, updated by events, as reactive state.
import type { Asset, Backend } from "../api/backend";

export type AssetsState = "loading" | "ready" | "failed";

/** Several files may change at one moment: one read covers all. */
const SETTLE = 100;

export class PageAssets {
  state = $state<AssetsState>("loading");
  /** The reason of the failure. */
  error = $state.raw<unknown>(null);
  #items = $state.raw<readonly Asset[]>([]);
  /** By name. */
  readonly live = $derived(this.#items.filter(({ state }) => state === "live"));
  /** Files that can be restored individually, the latest first. */
  readonly deleted = $derived(
    this.#items
      .filter(({ state }) => state === "deleted")
      .sort((a, b) => Date.parse(b.deleted_at ?? "") - Date.parse(a.deleted_at ?? "")),
  );
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Pick<Backend, "assets" | "events">,
    readonly pageId: string,
  ) {}

  async read(): Promise<void> {
    this.#reading?.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const items = await this.backend.assets.list(this.pageId, true, signal);
      if (signal.aborted) return;
      this.#items = items;
      this.state = "ready";
    } catch (error) {
      // The earlier list stays: the frame reports a lost connection.
      if (signal.aborted || this.state === "ready") return;
      this.error = error;
      this.state = "failed";
    }
  }

  /** Reads everything again, with the loading state. */
  async retry(): Promise<void> {
    this.state = "loading";
    await this.read();
  }

  /** Reads, and follows the server's events; returns a function that stops it. */
  listen(): () => void {
    void this.read();
    const stops = [
      this.backend.events.on("asset.changed", ({ page_id, asset_id }) => {
        const isMine = page_id === this.pageId || this.#items.some(({ id }) => id === asset_id);
        if (isMine) this.#readSoon();
      }),
      this.backend.events.on("resync", () => this.#readSoon()),
    ];
    return () => {
      clearTimeout(this.#timer);
      this.#reading?.abort();
      for (const stop of stops) stop();
    };
  }

  #readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.read(), SETTLE);
  }
}
