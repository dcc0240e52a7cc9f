// The folders that are open in the tree are watched, so that a folder that another program makes appears there.
import type { Backend } from "../api/backend";
import { FolderWatch } from "../api/folder-watch.svelte";
import { placeOf } from "./folder-id";

/** The server watches 128 folders: those that one looks at are to have room. */
const AT_MOST = 24;

export class BranchWatches {
  /** That which was used last is at the end. */
  readonly #watches = new Map<string, FolderWatch>();

  /** `onmissed` is called when something may have happened in a folder of which nobody told. */
  constructor(
    private readonly backend: Pick<Backend, "folders" | "events">,
    private readonly onmissed: (id: string) => void,
    ending: AbortSignal,
  ) {
    ending.addEventListener("abort", () => {
      for (const id of this.#watches.keys()) this.end(id);
    });
  }

  /** Watches it from now on, instead of the one that was used longest ago where there are many. Whether it was not before. */
  use(id: string): boolean {
    const known = this.#watches.get(id);
    this.#watches.delete(id);
    const { root, path } = placeOf(id);
    this.#watches.set(id, known ?? new FolderWatch(this.backend, root, path, () => this.onmissed(id)));
    const [oldest] = this.#watches.keys();
    if (this.#watches.size > AT_MOST && oldest !== undefined) this.end(oldest);
    return known === undefined;
  }

  /** What is read after this misses nothing that happens later. */
  async begun(id: string): Promise<void> {
    await this.#watches.get(id)?.begun;
  }

  end(id: string): void {
    this.#watches.get(id)?.dispose();
    this.#watches.delete(id);
  }
}
