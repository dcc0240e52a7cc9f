// The number of pictures below a folder that has none itself.
import type { FilePlace, FoldersApi } from "../../api/backend";

export class InsideCount {
  /** Null until it is known. */
  pictures = $state<number | null>(null);

  constructor(private readonly folders: Pick<FoldersApi, "list">) {}

  /** Counts the pictures. Returns a function that stops it. */
  follow({ root, path }: FilePlace): () => void {
    const ending = new AbortController();
    this.pictures = null;
    void this.#count({ root, path }, ending.signal);
    return () => ending.abort();
  }

  async #count({ root, path }: FilePlace, signal: AbortSignal): Promise<void> {
    try {
      const { pictures } = await this.folders.list({ root, path, group: "folder", limit: 1 }, signal);
      if (!signal.aborted) this.pictures = pictures;
    } catch {
      // The number of folders is shown alone.
    }
  }
}
