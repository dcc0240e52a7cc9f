// Where the page is. History entries carry an index, so that a guard can undo a step that the browser has made already.
import { parseAddress, type Route } from "./routes";
import type { NavigateOptions } from "../api/host";

export type Guard = () => boolean | Promise<boolean>;

interface EntryState {
  index: number;
}

export class Router {
  #url = $state.raw(new URL(location.href));
  readonly #route = $derived(parseAddress(this.#url));
  readonly #guards = new Set<Guard>();
  #index = 0;
  /** A step back that we made ourselves, to undo a refused one. */
  #ignoreNext = false;
  /** One question at a time: what comes while a guard decides is refused. */
  #deciding = false;

  /** Address and route as they are now, reactive. */
  get url(): URL {
    return this.#url;
  }

  get route(): Route {
    return this.#route;
  }

  /** Begins to listen; returns how to stop. */
  start(): () => void {
    const state = history.state as Partial<EntryState> | null;
    this.#index = state?.index ?? 0;
    // A room keeps things of its own in the entry (how far it was scrolled), which a reload must not lose.
    history.replaceState({ ...state, index: this.#index } satisfies EntryState, "", location.href);
    const onPopState = () => void this.#popped();
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
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
    if (!force && !(await this.#mayLeave())) return false;
    this.#move(url, replace);
    return true;
  }

  #move(url: URL, replace: boolean): void {
    if (!replace) this.#index += 1;
    const state = { index: this.#index } satisfies EntryState;
    if (replace) history.replaceState(state, "", url);
    else history.pushState(state, "", url);
    this.#url = url;
  }

  async #popped(): Promise<void> {
    if (this.#ignoreNext) {
      this.#ignoreNext = false;
      return;
    }
    const url = new URL(location.href);
    const state = history.state as Partial<EntryState> | null;
    // A jump within the page by its own link makes an entry without our state.
    const index = state?.index ?? this.#index + 1;
    if (state?.index === undefined) history.replaceState({ index } satisfies EntryState, "", url);
    if (!isSamePlace(url, this.#url) && !(await this.#mayLeave())) {
      this.#ignoreNext = true;
      history.go(this.#index - index);
      return;
    }
    this.#index = index;
    this.#url = new URL(location.href);
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

/** The same but for the fragment. */
function isSamePlace(a: URL, b: URL): boolean {
  return a.pathname === b.pathname && a.search === b.search;
}
