// The title of the page at a path, for views that show no text of it. Views are named by its path until it is known.
import type { PagesApi } from "../api/backend";

export class PageTitle {
  value = $state<string | null>(null);

  /** Called while a component is created. */
  constructor(pages: Pick<PagesApi, "resolve">, path: () => string) {
    $effect(() => {
      const reading = new AbortController();
      void this.#read(pages, path(), reading.signal);
      return () => reading.abort();
    });
  }

  async #read(pages: Pick<PagesApi, "resolve">, path: string, signal: AbortSignal): Promise<void> {
    // A page that can't be read has no title; the view itself reports the reason.
    const page = await pages.resolve(path, signal).catch(() => null);
    if (!signal.aborted) this.value = page?.title ?? null;
  }
}
