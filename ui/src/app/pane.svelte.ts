// A pane: an address with its history, and the state of the view that shows it. A browser's tab has one; the window has
// one for each tab, and a second one beside them.
import { type EntryList, Router } from "./router.svelte";
import { ViewState } from "./view-state.svelte";

export class Pane {
  readonly router: Router;
  view = $state.raw(new ViewState());
  /** The element that had the focus when the pane lost it. */
  focused: HTMLElement | null = null;

  constructor(entries?: EntryList) {
    this.router = new Router(entries);
  }
}

interface MemoryEntry {
  href: string;
  state: object | null;
}

/** The entries of a pane of the window, which has several: the browser's list can't show them. */
export class MemoryEntries implements EntryList {
  #entries: MemoryEntry[];
  #at = 0;
  readonly #listeners = new Set<() => void>();

  constructor(href: string, state: object | null = null) {
    this.#entries = [{ href, state }];
  }

  get href(): string {
    return this.#current.href;
  }

  get state(): unknown {
    return this.#current.state;
  }

  push(state: object, { href }: URL): void {
    this.#at += 1;
    this.#entries = [...this.#entries.slice(0, this.#at), { href, state }];
  }

  replace(state: object, url: URL | null): void {
    this.#entries[this.#at] = { href: url?.href ?? this.href, state };
  }

  go(steps: number): void {
    const to = this.#at + steps;
    if (steps === 0 || this.#entries[to] === undefined) return;
    this.#at = to;
    for (const listener of [...this.#listeners]) listener();
  }

  listen(onstep: () => void): () => void {
    this.#listeners.add(onstep);
    return () => this.#listeners.delete(onstep);
  }

  get #current(): MemoryEntry {
    const entry = this.#entries[this.#at];
    if (entry === undefined) throw new Error("BUG: a history without a current entry");
    return entry;
  }
}
