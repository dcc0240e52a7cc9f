// The pictures among the favourites, which their cells and the viewer mark.
import { SvelteSet } from "svelte/reactivity";
import type { Backend, FilePlace } from "../api/backend";
import { joinPath, ROOT_PATH } from "../api/names";

export class Favourites {
  readonly #places = new SvelteSet<string>();
  #ending = new AbortController();

  constructor(private readonly backend: Pick<Backend, "albums" | "events">) {}

  has(place: FilePlace): boolean {
    return this.#places.has(keyOf(place));
  }

  /** Reads the favourites, and again after each change of albums. Returns a function that stops it. */
  follow(): () => void {
    const again = () => void this.#read();
    const stops = (["albums.changed", "resync"] as const).map((name) => this.backend.events.on(name, again));
    again();
    return () => {
      this.#ending.abort();
      for (const stop of stops) stop();
    };
  }

  /** The last of several requests counts. */
  async #read(): Promise<void> {
    this.#ending.abort();
    const { signal } = (this.#ending = new AbortController());
    try {
      const album = (await this.backend.albums.list(signal)).find(({ is_favourites }) => is_favourites);
      const pictures = album && album.count > 0 ? (await this.backend.albums.get(album.id, signal)).pictures : [];
      if (signal.aborted) return;
      const now = new Set(pictures.flatMap(({ root, entry }) => (root && entry ? [keyOf({ root, path: joinPath(ROOT_PATH, entry) })] : [])));
      for (const key of this.#places) if (!now.has(key)) this.#places.delete(key);
      for (const key of now) this.#places.add(key);
    } catch {
      // The marks stay as they were. The view of albums shows the error.
    }
  }
}

const keyOf = ({ root, path }: FilePlace) => `${root}/${path}`;
