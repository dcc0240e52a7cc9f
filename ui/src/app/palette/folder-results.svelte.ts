// The palette's folders of pictures that were never visited, found by the server.
import type { FilePlace } from "../../api/backend";
import { encodePathFields } from "../../api/names";
import type { SearchApi } from "../../api/search";

export class FolderResults {
  #query = $state("");
  #places = $state.raw<readonly FilePlace[]>([]);
  #ending = new AbortController();

  constructor(private readonly api: Pick<SearchApi, "folders">) {}

  async ask(query: string): Promise<void> {
    this.stop();
    if (query === "") return;
    const { signal } = (this.#ending = new AbortController());
    try {
      const found = await this.api.folders(query, signal);
      if (signal.aborted) return;
      this.#query = query;
      this.#places = found.map(({ root, path, path_bytes }) => ({ root, path: encodePathFields(path, path_bytes) }));
    } catch {
      // The visited folders are offered anyway.
    }
  }

  /** The received answer to a query, without these folders. */
  of(query: string, without: readonly FilePlace[]): readonly FilePlace[] {
    if (query !== this.#query) return [];
    return this.#places.filter(({ root, path }) => !without.some((one) => one.root === root && one.path === path));
  }

  stop(): void {
    this.#ending.abort();
  }
}
