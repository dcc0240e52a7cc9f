// The levels of the tree of pages that are visible at the start: they are read at once, and the list of all pages later.
import { untrack } from "svelte";
import type { ChildPage } from "../../../api/backend";
import type { MovesApi } from "../../../api/moves";

export class TreeLevels {
  #levels = $state.raw<ReadonlyMap<string, readonly ChildPage[]>>(new Map());
  readonly #requested = new Set<string>();
  #failed = $state.raw<readonly string[]>([]);

  constructor(private readonly moves: Pick<MovesApi, "children">) {}

  /** The loaded levels, by the paths above them. */
  get loaded(): ReadonlyMap<string, readonly ChildPage[]> {
    return this.#levels;
  }

  /** True if a level can't be read. */
  get hasFailed(): boolean {
    return this.#failed.length > 0;
  }

  /** Requests the levels again that could not be read. */
  retry(): void {
    const paths = this.#failed;
    this.#failed = [];
    for (const path of paths) void this.#read(path);
  }

  /** Requests the levels below these paths, each once. */
  ensure(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#requested.has(path)) continue;
      this.#requested.add(path);
      void this.#read(path);
    }
  }

  async #read(path: string): Promise<void> {
    try {
      const children = await this.moves.children(path);
      this.#levels = new Map([...untrack(() => this.#levels), [path, children]]);
    } catch {
      // The tree of the present has them from the list of all pages, whose failure is reported.
      this.#failed = [...untrack(() => this.#failed), path];
    }
  }
}
