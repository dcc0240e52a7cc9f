// Watches the folders that are expanded in the tree, so that a folder that another program creates appears there.
import type { Backend } from "../../api/backend";
import { FolderWatch } from "../../api/events/folder-watch.svelte";
import { folderOfId } from "../entries/folder-place";

/** The maximum number of watches. The server watches 128 folders, and leaves some for those that are displayed. */
const MAX_WATCHES = 24;

export class BranchWatches {
  /** The watches, the most recently used last. */
  readonly #watches = new Map<string, FolderWatch>();

  /** Creates the watches. `onmissed` is called when a folder may have changed without a notification. */
  constructor(
    private readonly backend: Pick<Backend, "folders" | "events">,
    private readonly onmissed: (id: string) => void,
    ending: AbortSignal,
  ) {
    ending.addEventListener("abort", () => {
      for (const id of this.#watches.keys()) this.end(id);
    });
  }

  /**
   * Watches the folder, and ends the least recently used watch if there are too many. Returns true if the folder was
   * not watched before.
   */
  use(id: string): boolean {
    const existing = this.#watches.get(id);
    this.#watches.delete(id);
    const { root, path } = folderOfId(id);
    this.#watches.set(id, existing ?? new FolderWatch(this.backend, root, path, () => this.onmissed(id)));
    const [oldest] = this.#watches.keys();
    if (this.#watches.size > MAX_WATCHES && oldest !== undefined) this.end(oldest);
    return existing === undefined;
  }

  /** Resolves once the watch has started: a later read misses no later change. */
  async ready(id: string): Promise<void> {
    await this.#watches.get(id)?.ready;
  }

  end(id: string): void {
    this.#watches.get(id)?.dispose();
    this.#watches.delete(id);
  }
}
