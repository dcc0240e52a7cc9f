// The title of the page at a path, for views that show no text of it. Views are named by its path until it is known.
import type { Backend } from "../api/backend";

export class PageTitle {
  value = $state<string | null>(null);

  /** Called while a component is created. */
  constructor({ pages, events }: Pick<Backend, "pages" | "events">, path: () => string) {
    $effect(() => {
      const of = path();
      const reading = new AbortController();
      const read = () => void this.#read(pages, of, reading.signal);
      read();
      const stops = [
        events.on("page.changed", (change) => {
          if (change.path === of) read();
        }),
        events.on("resync", read),
      ];
      return () => {
        reading.abort();
        for (const stop of stops) stop();
      };
    });
  }

  async #read(pages: Pick<Backend["pages"], "resolve">, path: string, signal: AbortSignal): Promise<void> {
    // A page that can't be read has no title; the view itself reports the reason.
    const page = await pages.resolve(path, signal).catch(() => null);
    if (!signal.aborted) this.value = page?.title ?? null;
  }
}
