// The size of a folder's files, and the free space of its disk.
import type { FilePlace, FoldersApi, FolderSize } from "../../api/backend";

/** The shortest time between two requests, in milliseconds. */
const PAUSE = 1_000;

export class FolderSizes {
  /** Null until it is known. */
  size = $state.raw<FolderSize | null>(null);
  #folder: { place: FilePlace; beneath: boolean } | null = null;
  #ending = new AbortController();
  #pausing: ReturnType<typeof setTimeout> | undefined;
  /** True if the folder has changed during the pause. */
  #isStale = false;

  constructor(private readonly folders: Pick<FoldersApi, "size">) {}

  /** Reads the size of a folder, or of everything below it. Returns a function that stops it. */
  follow(place: FilePlace, beneath: boolean): () => void {
    this.#folder = { place, beneath };
    this.#ending = new AbortController();
    this.size = null;
    this.update();
    return () => {
      this.#folder = null;
      this.#ending.abort();
      clearTimeout(this.#pausing);
      this.#pausing = undefined;
    };
  }

  /** Reads the size again, as the folder has changed. Many changes are one request. */
  update(): void {
    this.#isStale = true;
    if (this.#pausing === undefined) void this.#read();
  }

  async #read(): Promise<void> {
    const folder = this.#folder;
    if (folder === null || !this.#isStale) return;
    this.#isStale = false;
    this.#pausing = setTimeout(() => {
      this.#pausing = undefined;
      void this.#read();
    }, PAUSE);
    const { signal } = this.#ending;
    try {
      const size = await this.folders.size(folder.place, { beneath: folder.beneath, signal });
      if (!signal.aborted) this.size = size;
    } catch {
      // The status bar shows the number of pictures alone.
    }
  }
}
