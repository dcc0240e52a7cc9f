// The list of all pages, read once in the background and updated by events: the tree, the palette and "recent" derive
// from it. It is replaced as a whole, never changed in place, so that derivations are cheap.
import { untrack } from "svelte";
import type { Backend, PageListItem } from "../../api/backend";
import type { EventMap } from "../../api/events/events";
import { isTemplate } from "../../templates/list";

export type IndexState = "idle" | "loading" | "ready" | "failed";

const PART_SIZE = 1_000;
/** Several pages may change at one moment (a rename of a subtree): one read covers all. */
const SETTLE = 150;
const RECENT = 6;

export class PageIndex {
  state = $state<IndexState>("idle");
  #items = $state.raw<readonly PageListItem[]>([]);
  readonly recent = $derived(newest(this.#items));
  readonly #titles = $derived(new Map(this.#items.flatMap(({ path, title, deleted }) => (title && !deleted ? [[path, title]] : []))));
  #reading: AbortController | null = null;
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Backend) {
    backend.events.on("page.changed", (change) => this.#note(change));
    backend.events.on("resync", () => this.#refresh());
  }

  /** By path. */
  get items(): readonly PageListItem[] {
    return this.#items;
  }

  /** The title of the page at a path; null if it has none, or is not known yet. */
  titleAt(path: string): string | null {
    return this.#titles.get(path) ?? null;
  }

  /** Reads the list unless it was read already. */
  ensure(): void {
    // An effect that calls this must not depend on the read's state: a failed one would trigger the next.
    untrack(() => {
      if (this.state === "idle" || this.state === "failed") void this.read();
    });
  }

  async read(): Promise<void> {
    this.#reading?.abort();
    const reading = (this.#reading = new AbortController());
    if (this.#items.length === 0) this.state = "loading";
    try {
      const items = await this.#readAll(reading.signal);
      if (reading.signal.aborted) return;
      this.#items = items;
      this.state = "ready";
    } catch {
      // The panel reports it and offers a retry; an old list is better than none.
      if (!reading.signal.aborted) this.state = this.#items.length === 0 ? "failed" : "ready";
    }
  }

  async #readAll(signal: AbortSignal): Promise<PageListItem[]> {
    const all: PageListItem[] = [];
    let forward: string | undefined;
    for (;;) {
      const query = forward === undefined ? { limit: PART_SIZE } : { limit: PART_SIZE, forward };
      const page = await this.backend.pages.list(query, signal);
      all.push(...page.items.map(named));
      const last = page.anchor ?? page.items.at(-1)?.path;
      if (!page.has_more || last === undefined || last === forward) return all;
      forward = last;
    }
  }

  #refresh(): void {
    if (this.state !== "idle") void this.read();
  }

  #note({ path }: EventMap["page.changed"]): void {
    if (this.state === "idle") return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readChanged(), SETTLE);
  }

  /** Reads the one page that changed; for several, everything. */
  async #readChanged(): Promise<void> {
    const [path, ...others] = this.#changed;
    this.#changed = new Set();
    if (path === undefined) return;
    if (others.length > 0 || this.state !== "ready") return this.read();
    try {
      const { items } = await this.backend.pages.list({ prefix: path, limit: 1 });
      this.#replace(path, items.find((item) => item.path === path));
    } catch {
      // The next change, or the reconnection's `resync`, reads it again.
    }
  }

  #replace(path: string, item: PageListItem | undefined): void {
    const rest = this.#items.filter((other) => other.path !== path && other.page_id !== item?.page_id);
    if (item) {
      const at = rest.findIndex((other) => other.path > item.path);
      rest.splice(at < 0 ? rest.length : at, 0, named(item));
    }
    this.#items = rest;
  }
}

/** A template's heading usually is a placeholder: its name says more. */
function named(page: PageListItem): PageListItem {
  return isTemplate(page.path) && page.title?.includes("{{") === true ? { ...page, title: null } : page;
}

function newest(items: readonly PageListItem[]): PageListItem[] {
  return [...items].sort((a, b) => Date.parse(b.last_update.timestamp) - Date.parse(a.last_update.timestamp)).slice(0, RECENT);
}
