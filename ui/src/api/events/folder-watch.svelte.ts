// A watch that the server keeps on a folder on the screen and renews on request; changes are reported by events.
import type { Backend, FolderWatching } from "../backend";
import type { EncodedPath } from "../names";

/**
 * The renewal interval, in milliseconds: the server watches for two minutes, and a tab in the background is throttled.
 */
const RENEWAL_INTERVAL = 40_000;
/** The maximum time that a reader waits for the watch: a disk may be slow. */
const PATIENCE = 150;

export class FolderWatch {
  /** The state of the watch; null if unknown. */
  state = $state<FolderWatching | null>(null);
  /** Resolves once the watch exists: a later read misses no change. */
  readonly ready: Promise<void>;
  readonly #ending = new AbortController();
  #isReady = false;
  #next: ReturnType<typeof setTimeout> | undefined;

  /** `onmissed` is called if changes may have gone unreported. `beneath` includes everything below the folder. */
  constructor(
    private readonly backend: Pick<Backend, "folders" | "events">,
    readonly root: string,
    readonly path: EncodedPath,
    private readonly onmissed: () => void,
    private readonly beneath = false,
  ) {
    // A restarted server has no watches.
    const remove = backend.events.on("resync", () => {
      if (this.#isReady) void this.#renew();
    });
    this.#ending.signal.addEventListener("abort", remove);
    const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
    this.ready = Promise.race([this.#renew(), late]).then(() => {
      this.#isReady = true;
    });
  }

  dispose(): void {
    this.#ending.abort();
    clearTimeout(this.#next);
  }

  async #renew(): Promise<void> {
    const { signal } = this.#ending;
    clearTimeout(this.#next);
    try {
      const { watching, renewed } = await this.backend.folders.watch(this.root, this.path, { beneath: this.beneath, signal });
      if (signal.aborted) return;
      this.state = watching;
      if (!renewed && this.#isReady) this.onmissed();
    } catch {
      if (signal.aborted) return;
      // The read of the folder reports the reason.
      this.state = null;
    }
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.#renew(), RENEWAL_INTERVAL);
  }
}
