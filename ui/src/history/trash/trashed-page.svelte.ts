// An open page in the trash, as reactive state: its data, and its present state.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { DeletedPage } from "../../api/moves";

export type TrashedPageState =
  | { kind: "loading" }
  | { kind: "ready"; page: DeletedPage }
  /** It has been restored to a path. */
  | { kind: "back"; path: string }
  /** No page has this id: it was deleted permanently, or never existed. */
  | { kind: "gone" }
  | { kind: "failed"; error: unknown };

export class TrashedPage {
  state = $state.raw<TrashedPageState>({ kind: "loading" });
  #loading: AbortController | null = null;

  constructor(
    private readonly backend: Pick<Backend, "pages" | "moves" | "events">,
    private readonly id: string,
  ) {}

  async load(): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      const state = await this.#fetch(signal);
      if (!signal.aborted) this.state = state;
    } catch (error) {
      if (signal.aborted) return;
      if (hasCode(error, "page_not_found", "draft", "bad_request")) this.state = { kind: "gone" };
      // The shown page stays if the request fails; the frame reports a lost connection.
      else if (this.state.kind !== "ready") this.state = { kind: "failed", error };
    }
  }

  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  /** Follows the server's events; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    const stops = [
      events.on("page.changed", ({ page_id }) => {
        if (page_id === this.id) void this.load();
      }),
      events.on("resync", () => void this.load()),
    ];
    return () => {
      for (const stop of stops) stop();
      this.#loading?.abort();
    };
  }

  async #fetch(signal: AbortSignal): Promise<TrashedPageState> {
    const { page_info } = await this.backend.pages.meta(this.id, null, signal);
    const path = page_info.path.value;
    if (page_info.draft) return { kind: "gone" };
    if (!page_info.deleted) return { kind: "back", path };
    const deletedPages = await this.backend.moves.deletedAt(path, signal);
    const page = deletedPages.find(({ page_id }) => page_id === this.id);
    // It was removed between the two requests: the event about that reads again.
    return page === undefined ? { kind: "gone" } : { kind: "ready", page };
  }
}
