// The router. History entries carry an index, so that a guard can undo a step that the browser has made already.
import { parseAddress, type Route } from "./routes";
import type { NavigateOptions } from "../api/host";

export type Guard = () => boolean | Promise<boolean>;

interface EntryState {
  index: number;
  /** The last of our entries, as far as it was known when this was the current one: a reload restores it from here. */
  last: number;
}

/** A list of entries, one of which is the current one: the browser's, or that of a tab of the window. */
export interface EntryList {
  readonly href: string;
  readonly state: unknown;
  push(state: object, url: URL): void;
  /** Changes the current entry; null keeps its address. */
  replace(state: object, url: URL | null): void;
  go(steps: number): void;
  /** Calls back after each step; returns a function that stops it. */
  listen(onstep: () => void): () => void;
}

/** The entries of the browser's tab, which `history` and `location` show. */
export const browserEntries: EntryList = {
  get href() {
    return location.href;
  },
  get state(): unknown {
    return history.state;
  },
  push: (state, url) => history.pushState(state, "", url),
  replace: (state, url) => history.replaceState(state, "", url),
  go: (steps) => history.go(steps),
  listen(onstep) {
    window.addEventListener("popstate", onstep);
    return () => window.removeEventListener("popstate", onstep);
  },
};

/** WebKit allows a hundred changes of entries in this time, and throws at the next. */
const COUNTED_MS = 30_000;
/** The number of immediate changes; after that, at most one in half a second. */
const MAX_IMMEDIATE = 20;
const APART_MS = 500;

export class Router {
  readonly #entries: EntryList;
  #url = $state.raw(new URL(location.href));
  readonly #route = $derived(parseAddress(this.#url));
  readonly #guards = new Set<Guard>();
  #index = 0;
  /** The last of our entries, as far as it is known. */
  #last = 0;
  #canGoBack = $state(false);
  #canGoForward = $state(false);
  /**
   * True during a guard's decision, of which there is one at a time: another navigation is refused, or waits for the
   * answer.
   */
  #deciding = false;
  /** The times of recent changes of entries, and the pending change of the current one. */
  #changed: number[] = [];
  #toReplace: URL | null = null;
  #toKeep: object | null = null;
  #replacing: ReturnType<typeof setTimeout> | undefined;
  readonly #steps = new Set<() => void>();
  /** Returns true if it shows the address elsewhere. */
  divert: ((url: URL) => boolean) | null = null;

  constructor(entries: EntryList = browserEntries) {
    this.#entries = entries;
    this.#url = new URL(entries.href);
  }

  /** The current address and route, reactive. */
  get url(): URL {
    return this.#url;
  }

  get route(): Route {
    return this.#route;
  }

  /** True if an entry of ours precedes the current one, reactive. The browser's other entries are ignored. */
  get canGoBack(): boolean {
    return this.#canGoBack;
  }

  /** True if one follows it, or may, reactive. */
  get canGoForward(): boolean {
    return this.#canGoForward;
  }

  /** Works like the browser's own button: guards are asked after the step. */
  goBack(): void {
    this.#step(-1);
  }

  goForward(): void {
    this.#step(1);
  }

  /** Starts listening; returns a function that stops it. */
  start(): () => void {
    const state = this.#state;
    this.#index = state?.index ?? 0;
    // If an entry does not state it, the number of entries after it is unknown.
    this.#last = state?.last ?? (state?.index === undefined ? 0 : Infinity);
    this.#updateNavigation();
    // A view keeps data of its own in the entry (its scroll position), which a reload must not lose.
    this.#entries.replace({ ...state, ...this.#entry } satisfies EntryState, null);
    const stop = this.#entries.listen(() => void this.#handleStep());
    const onPageHide = () => this.#write();
    window.addEventListener("pagehide", onPageHide);
    return () => {
      this.#forgetReplacing();
      stop();
      window.removeEventListener("pagehide", onPageHide);
    };
  }

  beforeLeave(guard: Guard): () => void {
    this.#guards.add(guard);
    return () => this.#guards.delete(guard);
  }

  /** Calls back after each step to an entry; returns a function that stops it. */
  onStep(handler: () => void): () => void {
    this.#steps.add(handler);
    return () => this.#steps.delete(handler);
  }

  /** Navigates to an address of this origin; false if a guard refused. */
  async navigate(address: string, { replace = false, force = false }: NavigateOptions = {}): Promise<boolean> {
    const url = new URL(address, this.#url);
    if (url.origin !== location.origin) throw new Error(`not an address of this page: ${url.origin}`);
    if (isSamePlace(url, this.#url)) {
      if (url.hash !== this.#url.hash) this.#move(url, replace);
      return true;
    }
    if (this.divert?.(url)) return true;
    if (!force && !(await this.mayLeave())) {
      // The browser may have stepped back while the guard decided.
      if (!this.#deciding) this.#goBack();
      return false;
    }
    // Or forward: the new address follows the browser's entry.
    this.#index = this.#entryIndex;
    this.#move(url, replace);
    return true;
  }

  /** The data of the view in the current entry. */
  get kept(): object | null {
    return this.#state;
  }

  /** Stores data of the view in the current entry; it survives a reload and going back. */
  keep(state: object): void {
    // While a guard decides, the browser may be at an entry that is not the view's.
    if (this.#toReplace === null && !isSamePlace(new URL(this.#entries.href), this.#url)) return;
    this.#toKeep = { ...this.#toKeep, ...state };
    this.#scheduleWrite();
  }

  #move(url: URL, replace: boolean): void {
    if (replace) {
      this.#toReplace = url;
      // It was stored for another place.
      this.#toKeep = null;
      this.#scheduleWrite();
    } else {
      this.#write();
      this.#index += 1;
      this.#last = this.#index;
      this.#updateNavigation();
      this.#changed.push(performance.now());
      this.#entries.push(this.#entry, url);
    }
    this.#url = url;
  }

  /**
   * Writes at once, or soon if there were recent writes: a held key goes through a whole history, and a page is
   * scrolled repeatedly.
   */
  #scheduleWrite(): void {
    const now = performance.now();
    this.#changed = this.#changed.filter((at) => now - at < COUNTED_MS);
    const wait = this.#changed.length < MAX_IMMEDIATE ? 0 : (this.#changed.at(-1) ?? now) + APART_MS - now;
    if (wait <= 0) this.#write();
    else this.#replacing ??= setTimeout(() => this.#write(), wait);
  }

  /** Writes the pending change to the current entry. */
  #write(): void {
    const [url, own] = [this.#toReplace, this.#toKeep];
    this.#forgetReplacing();
    if (url === null && own === null) return;
    this.#changed.push(performance.now());
    const state = url === null ? this.#state : this.#entry;
    this.#entries.replace({ ...state, ...own }, url);
  }

  #forgetReplacing(): void {
    clearTimeout(this.#replacing);
    this.#replacing = undefined;
    this.#toReplace = null;
    this.#toKeep = null;
  }

  async #handleStep(): Promise<void> {
    // The entry that it was for has been left.
    this.#forgetReplacing();
    const [url, previousUrl] = [new URL(this.#entries.href), this.#url];
    // A jump within the page by its own link creates an entry without our state.
    if (this.#state?.index === undefined) {
      this.#last = this.#index + 1;
      this.#entries.replace({ index: this.#last, last: this.#last } satisfies EntryState, null);
    }
    // While a guard decides, the browser moves freely: its final position counts.
    if (this.#deciding) return;
    if (isSamePlace(url, this.#url)) return this.#adoptPosition();
    if (!(await this.mayLeave())) return this.#goBack();
    this.#adoptPosition();
    // The browser was brought back in the meantime, but the guard has released its data.
    if (!isSamePlace(url, this.#url) && isSamePlace(this.#url, previousUrl)) this.#move(url, false);
  }

  #step(by: 1 | -1): void {
    // A pending write to the current entry cannot be made later.
    this.#write();
    this.#entries.go(by);
  }

  get #state(): Partial<EntryState> | null {
    return this.#entries.state as Partial<EntryState> | null;
  }

  /** The index of the current entry of the list among ours. */
  get #entryIndex(): number {
    return this.#state?.index ?? this.#index;
  }

  get #entry(): EntryState {
    return { index: this.#index, last: this.#last };
  }

  #updateNavigation(): void {
    this.#canGoBack = this.#index > 0;
    this.#canGoForward = this.#index < this.#last;
  }

  /** Undoes all steps that the browser has made. */
  #goBack(): void {
    const steps = this.#index - this.#entryIndex;
    if (steps !== 0) this.#entries.go(steps);
  }

  /** Adopts the browser's position. */
  #adoptPosition(): void {
    this.#index = this.#entryIndex;
    this.#updateNavigation();
    if (this.#entries.href !== this.#url.href) this.#url = new URL(this.#entries.href);
    // The number of entries after it may have changed since it was left.
    if (this.#state?.last !== this.#last) this.keep({ last: this.#last });
    for (const handler of [...this.#steps]) handler();
  }

  /** Asks the guards; false if one refuses, or decides already. */
  async mayLeave(): Promise<boolean> {
    if (this.#deciding) return false;
    this.#deciding = true;
    try {
      for (const guard of [...this.#guards]) {
        if (!(await guard())) return false;
      }
      return true;
    } finally {
      this.#deciding = false;
    }
  }
}

/** True if the addresses differ in the fragment only. */
function isSamePlace(a: URL, b: URL): boolean {
  return a.pathname === b.pathname && a.search === b.search;
}
