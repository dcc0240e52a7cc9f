// The backlinks of the open page, kept up to date quietly, as reactive state.
import type { Backend, Backlink } from "../../api/backend";
import { onPagesChanged } from "./page-changes";

/** The number that a panel shows at once. */
export const BACKLINKS_AT_ONCE = 50;
const BACKLINK_LIMIT = 1000;

export type BacklinksState =
  | { kind: "loading" }
  | { kind: "ready"; pages: Backlink[]; hasMore: boolean }
  | { kind: "failed"; error: unknown };

export class Backlinks {
  state = $state.raw<BacklinksState>({ kind: "loading" });
  #loading: AbortController | null = null;

  constructor(
    private readonly backend: Pick<Backend, "pages" | "events">,
    private readonly pageId: string,
  ) {}

  /** Loads, or reloads: the shown links stay until the answer arrives, which covers at least as many. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    const count = this.state.kind === "ready" ? this.state.pages.length : 0;
    const limit = Math.min(BACKLINK_LIMIT, Math.max(BACKLINKS_AT_ONCE, count));
    try {
      const pages = await this.backend.pages.backlinks(this.pageId, { limit }, signal);
      signal.throwIfAborted();
      this.state = { kind: "ready", pages, hasMore: pages.length === limit };
    } catch (error) {
      if (!signal.aborted) this.state = { kind: "failed", error };
    }
  }

  async more(): Promise<void> {
    if (this.state.kind !== "ready") return;
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    const { pages } = this.state;
    const after = pages.at(-1)?.page_id;
    const further = await this.backend.pages.backlinks(this.pageId, { after, limit: BACKLINKS_AT_ONCE }, signal);
    if (!signal.aborted) this.state = { kind: "ready", pages: [...pages, ...further], hasMore: further.length === BACKLINKS_AT_ONCE };
  }

  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  /** Follows changes: any changed page may add or remove a link here. Returns a function that stops it. */
  listen(): () => void {
    const stop = onPagesChanged(this.backend.events, () => void this.load());
    return () => {
      stop();
      this.#loading?.abort();
    };
  }
}
