// Where the page is. History entries carry an index, so that a guard can undo a step that the browser has made already.
import { parseAddress, type Route } from "./routes";
import type { NavigateOptions } from "../api/host";

export type Guard = () => boolean | Promise<boolean>;

interface EntryState {
  index: number;
  /** The last entry of ours, as far as it was known when this was the present one: a reload finds it here. */
  last: number;
}

/** WebKit takes a hundred changes of entries in this time, and throws at the next. */
const COUNTED_MS = 30_000;
/** So many are made at once; after that, one in half a second at most. */
const AT_ONCE = 20;
const APART_MS = 500;

export class Router {
  #url = $state.raw(new URL(location.href));
  readonly #route = $derived(parseAddress(this.#url));
  readonly #guards = new Set<Guard>();
  #index = 0;
  /** The last entry of ours, as far as it is known. */
  #last = 0;
  #canGoBack = $state(false);
  #canGoForward = $state(false);
  /** One question at a time: what comes while a guard decides is refused, or waits for the answer. */
  #deciding = false;
  /** When entries were changed lately, and to what the present one is to be changed soon. */
  #changed: number[] = [];
  #toReplace: URL | null = null;
  #toKeep: object | null = null;
  #replacing: ReturnType<typeof setTimeout> | undefined;

  /** Address and route as they are now, reactive. */
  get url(): URL {
    return this.#url;
  }

  get route(): Route {
    return this.#route;
  }

  /** Whether an entry of ours lies before the present one, reactive. What else the browser has there is its own affair. */
  get canGoBack(): boolean {
    return this.#canGoBack;
  }

  /** Whether one lies behind it, or may, reactive. */
  get canGoForward(): boolean {
    return this.#canGoForward;
  }

  /** As the browser's own buttons do: guards are asked when it has gone. */
  goBack(): void {
    this.#step(-1);
  }

  goForward(): void {
    this.#step(1);
  }

  /** Begins to listen; returns how to stop. */
  start(): () => void {
    const state = history.state as Partial<EntryState> | null;
    this.#index = state?.index ?? 0;
    // What lies behind an entry that does not say it, nobody tells.
    this.#last = state?.last ?? (state?.index === undefined ? 0 : Infinity);
    this.#tellWays();
    // A room keeps things of its own in the entry (how far it was scrolled), which a reload must not lose.
    history.replaceState({ ...state, ...this.#entry } satisfies EntryState, "", location.href);
    const onPopState = () => void this.#popped();
    const onPageHide = () => this.#settle();
    window.addEventListener("popstate", onPopState);
    window.addEventListener("pagehide", onPageHide);
    return () => {
      this.#forgetReplacing();
      window.removeEventListener("popstate", onPopState);
      window.removeEventListener("pagehide", onPageHide);
    };
  }

  beforeLeave(guard: Guard): () => void {
    this.#guards.add(guard);
    return () => this.#guards.delete(guard);
  }

  /** Goes to an address of this origin; false when a guard refused. */
  async navigate(address: string, { replace = false, force = false }: NavigateOptions = {}): Promise<boolean> {
    const url = new URL(address, this.#url);
    if (url.origin !== location.origin) throw new Error(`not an address of this page: ${url.origin}`);
    if (isSamePlace(url, this.#url)) {
      if (url.hash !== this.#url.hash) this.#move(url, replace);
      return true;
    }
    if (!force && !(await this.#mayLeave())) {
      // The browser may have stepped back while the guard decided.
      if (!this.#deciding) this.#goBack();
      return false;
    }
    // Or so: then the new address follows on where the browser is.
    this.#index = indexOfEntry(this.#index);
    this.#move(url, replace);
    return true;
  }

  /** Keeps something of the room's own in the present entry; a reload and going back find it there. */
  keep(state: object): void {
    // While a guard decides, the browser may be at an entry that is not the room's.
    if (this.#toReplace === null && !isSamePlace(new URL(location.href), this.#url)) return;
    this.#toKeep = { ...this.#toKeep, ...state };
    this.#settleSoon();
  }

  #move(url: URL, replace: boolean): void {
    if (replace) {
      this.#toReplace = url;
      // It was kept for another place.
      this.#toKeep = null;
      this.#settleSoon();
    } else {
      this.#settle();
      this.#index += 1;
      this.#last = this.#index;
      this.#tellWays();
      this.#changed.push(performance.now());
      history.pushState(this.#entry, "", url);
    }
    this.#url = url;
  }

  /** At once, or soon where it was done just now: a key that is held goes through a whole history, and a page is scrolled again and again. */
  #settleSoon(): void {
    const now = performance.now();
    this.#changed = this.#changed.filter((at) => now - at < COUNTED_MS);
    const wait = this.#changed.length < AT_ONCE ? 0 : (this.#changed.at(-1) ?? now) + APART_MS - now;
    if (wait <= 0) this.#settle();
    else this.#replacing ??= setTimeout(() => this.#settle(), wait);
  }

  /** The present entry is what it is to be. */
  #settle(): void {
    const [url, own] = [this.#toReplace, this.#toKeep];
    this.#forgetReplacing();
    if (url === null && own === null) return;
    this.#changed.push(performance.now());
    const state = url === null ? (history.state as EntryState | null) : this.#entry;
    history.replaceState({ ...state, ...own }, "", url);
  }

  #forgetReplacing(): void {
    clearTimeout(this.#replacing);
    this.#replacing = undefined;
    this.#toReplace = null;
    this.#toKeep = null;
  }

  async #popped(): Promise<void> {
    // The entry that it was for is left behind.
    this.#forgetReplacing();
    const [url, left] = [new URL(location.href), this.#url];
    const state = history.state as Partial<EntryState> | null;
    // A jump within the page by its own link makes an entry without our state.
    if (state?.index === undefined) {
      this.#last = this.#index + 1;
      history.replaceState({ index: this.#last, last: this.#last } satisfies EntryState, "", url);
    }
    // While a guard decides, the browser goes where it likes: where it is then counts.
    if (this.#deciding) return;
    if (isSamePlace(url, this.#url)) return this.#arrive();
    if (!(await this.#mayLeave())) return this.#goBack();
    this.#arrive();
    // The browser was brought back in the meantime, but the guard has given up what it protected.
    if (!isSamePlace(url, this.#url) && isSamePlace(this.#url, left)) this.#move(url, false);
  }

  #step(by: 1 | -1): void {
    // What is still to be written into the present entry can't be later.
    this.#settle();
    history.go(by);
  }

  get #entry(): EntryState {
    return { index: this.#index, last: this.#last };
  }

  #tellWays(): void {
    this.#canGoBack = this.#index > 0;
    this.#canGoForward = this.#index < this.#last;
  }

  /** Undoes the steps that the browser has made, however many. */
  #goBack(): void {
    const steps = this.#index - indexOfEntry(this.#index);
    if (steps !== 0) history.go(steps);
  }

  /** The page is where the browser is. */
  #arrive(): void {
    this.#index = indexOfEntry(this.#index);
    this.#tellWays();
    if (location.href !== this.#url.href) this.#url = new URL(location.href);
    // When it was left, there may have been fewer behind it, or more.
    if ((history.state as Partial<EntryState> | null)?.last !== this.#last) this.keep({ last: this.#last });
  }

  async #mayLeave(): Promise<boolean> {
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

/** The place of the browser's present entry among ours. */
function indexOfEntry(otherwise: number): number {
  return (history.state as Partial<EntryState> | null)?.index ?? otherwise;
}

/** The same but for the fragment. */
function isSamePlace(a: URL, b: URL): boolean {
  return a.pathname === b.pathname && a.search === b.search;
}
