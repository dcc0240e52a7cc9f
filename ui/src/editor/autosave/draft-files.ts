// The files of a page that was never saved. They are deleted permanently with its draft, and a closing tab of a browser
// cannot ask any more: the state must be known before.
import type { Asset, Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import { withTimeout } from "../../api/transport/timeout";

/** A server without an answer must not hold the user here. */
const PATIENCE_MS = 2_000;

export class DraftFiles {
  #pageId: string | null = null;
  /** null until an answer has arrived. */
  #count: number | null = null;
  #reading: AbortController | null = null;

  constructor(private readonly backend: Pick<Backend, "assets" | "events">) {}

  /** Follows the files of a draft; returns a function that stops it. */
  watch(pageId: string): () => void {
    const { events } = this.backend;
    this.#pageId = pageId;
    this.#count = null;
    this.#readAgain();
    const stops = [
      events.on("asset.changed", ({ page_id, kind }) => {
        const isMine = page_id === pageId;
        if (isMine && kind !== "deleted" && kind !== "purged") this.recordAdded();
        // A file that moves to another page is reported with that page.
        else if (isMine || kind === "moved") this.#readAgain();
      }),
      events.on("resync", () => this.#readAgain()),
    ];
    return () => {
      this.#pageId = null;
      this.#reading?.abort();
      for (const stop of stops) stop();
    };
  }

  /** Records that a file has just been added. */
  recordAdded(): void {
    this.#count = Math.max(1, this.#count ?? 0);
    this.#readAgain();
  }

  /** True if there are files, as far as is known now. */
  get exist(): boolean {
    return this.#pageId !== null && (this.#count ?? 0) > 0;
  }

  /** True if there may be files, including while the number is unknown. */
  get mayExist(): boolean {
    return this.#pageId !== null && this.#count !== 0;
  }

  /** The number of files, requested again. */
  async count(pageId: string): Promise<number> {
    const knownCount = pageId === this.#pageId ? (this.#count ?? 0) : 0;
    try {
      const files = await withTimeout(PATIENCE_MS, this.backend.assets.list(pageId));
      return files?.length ?? knownCount;
    } catch (error) {
      // The draft is gone already, or the server is unreachable, which the frame reports.
      return isGone(error) ? 0 : knownCount;
    }
  }

  #readAgain(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const pageId = this.#pageId;
    if (pageId === null) return;
    const { signal } = (this.#reading = new AbortController());
    let files: Asset[];
    try {
      files = await this.backend.assets.list(pageId, false, signal);
    } catch (error) {
      if (!isGone(error)) return;
      files = [];
    }
    if (!signal.aborted) this.#count = files.length;
  }
}

function isGone(error: unknown): boolean {
  return hasCode(error, "not_found", "page_not_found", "gone");
}
