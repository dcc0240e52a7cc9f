// Roots whose folders are not there are waited for: that one is there again is told as a change of its own folder.
import type { Backend, Root } from "../api/backend";
import { FolderWatch } from "../api/folder-watch.svelte";
import { ROOT_PATH } from "../api/names";

/** The server watches 128 folders: those that one looks at are to have room. */
const AT_MOST = 64;

export class AwayRoots {
  readonly #watches = new Map<string, FolderWatch>();

  /** `onmissed` is called when one may be there again of which nobody told. */
  constructor(
    private readonly backend: Pick<Backend, "folders" | "events">,
    private readonly onmissed: () => void,
  ) {}

  /** Waits for those that are away, and for no others any more. */
  follow(roots: readonly Root[]): void {
    const away = roots.filter(({ available }) => !available).slice(0, AT_MOST);
    const wanted = new Set(away.map(({ id }) => id));
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
    void watch.begun.then(() => {
      // It may have come before anybody would have told.
      if (this.#watches.get(id) === watch) this.onmissed();
    });
  }

  #end(id: string, watch: FolderWatch): void {
    watch.dispose();
    this.#watches.delete(id);
  }
}
