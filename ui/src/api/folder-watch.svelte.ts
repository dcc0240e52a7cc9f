// A folder on the screen is watched by the server, for as long as it is asked to: what happens in it is told by events.
import type { Backend, FolderWatching } from "./backend";
import type { EncodedPath } from "./names";

/** How often the server is asked to go on, in milliseconds: it does for two minutes, and a tab behind others is held up. */
const EVERY = 40_000;
/** Whoever wants to read the folder waits for the watch no longer than this: a disk may take its time. */
const PATIENCE = 150;

export class FolderWatch {
  /** How it is watched; null where that is not known. */
  how = $state<FolderWatching | null>(null);
  /** What is read after this misses nothing that happens later. */
  readonly begun: Promise<void>;
  readonly #ending = new AbortController();
  #isBegun = false;
  #next: ReturnType<typeof setTimeout> | undefined;

  /** `onmissed` is called when something may have happened of which nobody told. With `beneath`, all that lies beneath it is watched. */
  constructor(
    private readonly backend: Pick<Backend, "folders" | "events">,
    readonly root: string,
    readonly path: EncodedPath,
    private readonly onmissed: () => void,
    private readonly beneath = false,
  ) {
    // A server that has begun anew knows of no watch.
    const remove = backend.events.on("resync", () => {
      if (this.#isBegun) void this.#ask();
    });
    this.#ending.signal.addEventListener("abort", remove);
    const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
    this.begun = Promise.race([this.#ask(), late]).then(() => {
      this.#isBegun = true;
    });
  }

  dispose(): void {
    this.#ending.abort();
    clearTimeout(this.#next);
  }

  async #ask(): Promise<void> {
    const { signal } = this.#ending;
    clearTimeout(this.#next);
    try {
      const { watching, renewed } = await this.backend.folders.watch(this.root, this.path, { beneath: this.beneath, signal });
      if (signal.aborted) return;
      this.how = watching;
      if (!renewed && this.#isBegun) this.onmissed();
    } catch {
      if (signal.aborted) return;
      // Why, whoever reads the folder is told.
      this.how = null;
    }
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.#ask(), EVERY);
  }
}
