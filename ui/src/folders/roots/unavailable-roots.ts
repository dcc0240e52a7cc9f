// Waits for roots whose folders are unavailable: the return of one is reported as a change of its own folder.
import type { Backend, Root } from "../../api/backend";
import { FolderWatch } from "../../api/events/folder-watch.svelte";
import { ROOT_PATH } from "../../api/names";

/** The maximum number of watches. The server watches 128 folders, and leaves some for those that are displayed. */
const MAX_WATCHES = 64;

export class UnavailableRoots {
  readonly #watches = new Map<string, FolderWatch>();

  /** Creates the watches. `onmissed` is called when a root may have returned without a notification. */
  constructor(
    private readonly backend: Pick<Backend, "folders" | "events">,
    private readonly onmissed: () => void,
  ) {}

  /** Waits for the unavailable roots, and ends all other watches. */
  follow(roots: readonly Root[]): void {
    const unavailable = roots.filter(({ available }) => !available).slice(0, MAX_WATCHES);
    const wanted = new Set(unavailable.map(({ id }) => id));
    for (const [id, watch] of this.#watches) {
      if (!wanted.has(id)) this.#end(id, watch);
    }
    for (const id of wanted) {
      if (!this.#watches.has(id)) this.#begin(id);
    }
  }

  dispose(): void {
    for (const [id, watch] of this.#watches) this.#end(id, watch);
  }

  #begin(id: string): void {
    const watch = new FolderWatch(this.backend, id, ROOT_PATH, this.onmissed);
    this.#watches.set(id, watch);
    void watch.ready.then(() => {
      // The root may have returned before the watch started.
      if (this.#watches.get(id) === watch) this.onmissed();
    });
  }

  #end(id: string, watch: FolderWatch): void {
    watch.dispose();
    this.#watches.delete(id);
  }
}
