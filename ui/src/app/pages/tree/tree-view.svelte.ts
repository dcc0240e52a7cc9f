// The appearance of the tree of pages: its order, its open branches, its scroll position. The server keeps it for the user.
import { untrack } from "svelte";
import { SvelteSet } from "svelte/reactivity";
import type { TreeSort, TreeView, UsersApi } from "../../../api/backend";

/** The pause after a change before it is stored, in milliseconds. */
const PAUSE = 300;
/** The server's limit. */
const MAX_OPEN = 1_000;

export class TreeAppearance {
  /** The paths whose children are shown. */
  readonly open = new SvelteSet<string>();
  #sort = $state<TreeSort>("title");
  /** True once the stored appearance is known, or the server did not tell it. */
  isKnown = $state(false);
  #scroll = 0;
  #reading: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly users: Pick<UsersApi, "tree" | "setTree">) {}

  get sort(): TreeSort {
    return this.#sort;
  }

  /** The stored scroll position; it is not reactive. */
  get scroll(): number {
    return this.#scroll;
  }

  /** Reads the stored appearance once. */
  ensure(): void {
    untrack(() => void (this.#reading ??= this.#read()));
  }

  async #read(): Promise<void> {
    try {
      const { sort = "title", open = [], scroll = 0 } = await this.users.tree();
      for (const path of open) this.open.add(path);
      this.#sort = sort;
      this.#scroll = scroll;
    } catch {
      // Optional: the tree is shown as at the first start, and the frame reports faults that concern everything. What
      // is stored stays until the user changes the appearance.
    }
    this.isKnown = true;
  }

  sortBy(sort: TreeSort): void {
    this.#sort = sort;
    this.#store();
  }

  /** Opens or closes a branch. */
  toggle(path: string): void {
    if (!this.open.delete(path)) this.open.add(path);
    this.#store();
  }

  /** Opens the branches that lead to a page. */
  reveal(ancestors: readonly string[]): void {
    const closed = ancestors.filter((path) => !this.open.has(path));
    for (const path of closed) this.open.add(path);
    if (closed.length > 0) this.#store();
  }

  scrolled(top: number): void {
    const scroll = Math.max(0, Math.round(top));
    if (scroll === this.#scroll) return;
    this.#scroll = scroll;
    this.#store();
  }

  #store(): void {
    // Otherwise the stored appearance would be replaced before it is known.
    if (!this.isKnown) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const view: TreeView = { sort: this.#sort, open: [...this.open].slice(-MAX_OPEN), scroll: this.#scroll };
      // In sequence, so that the last one stays. Optional, like the read.
      this.#writing = this.#writing.then(() => this.users.setTree(view)).catch(() => {});
    }, PAUSE);
  }
}
