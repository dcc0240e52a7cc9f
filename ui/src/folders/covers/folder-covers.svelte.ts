// The covers of the folders in view: requested a few at a time, and cached.
import { SvelteMap } from "svelte/reactivity";
import type { FilePlace, FolderEntry, FoldersApi } from "../../api/backend";

/** The maximum number of concurrent requests: the thumbnails of pictures need the server, too. */
const MAX_CONCURRENT = 3;
/** The age above which covers are read again when their folder comes into view, in milliseconds. */
const FRESH = 30_000;
/** The number of folders whose covers are cached. */
const MAX_FOLDERS = 2_000;

interface WantedFolder {
  readonly place: FilePlace;
  readonly version: string;
  readonly ending: AbortController;
}

interface ReadCovers {
  version: string;
  at: number;
}

export class FolderCovers {
  readonly #known = new SvelteMap<string, readonly FolderEntry[]>();
  readonly #read = new Map<string, ReadCovers>();
  readonly #wanted = new Map<string, WantedFolder>();
  #running = 0;

  constructor(private readonly folders: Pick<FoldersApi, "covers">) {}

  /** Returns the covers of a folder; undefined until they were read once. */
  of(place: FilePlace): readonly FolderEntry[] | undefined {
    return this.#known.get(keyOf(place));
  }

  /**
   * Requests the covers of a folder in view, unless they were read a moment ago, and in this version of the folder.
   * Returns a function that ends the request.
   */
  want(place: FilePlace, version: string): () => void {
    const key = keyOf(place);
    const read = this.#read.get(key);
    if (read !== undefined && read.version === version && performance.now() - read.at < FRESH) return () => {};
    const wanted = { place, version, ending: new AbortController() };
    this.#wanted.get(key)?.ending.abort();
    this.#wanted.set(key, wanted);
    this.#next();
    return () => {
      wanted.ending.abort();
      if (this.#wanted.get(key) === wanted) this.#wanted.delete(key);
    };
  }

  #next(): void {
    for (const [key, wanted] of this.#wanted) {
      if (this.#running >= MAX_CONCURRENT) return;
      this.#wanted.delete(key);
      void this.#ask(key, wanted);
    }
  }

  async #ask(key: string, { place, version, ending }: WantedFolder): Promise<void> {
    this.#running += 1;
    try {
      const covers = await this.folders.covers(place, ending.signal);
      if (!ending.signal.aborted) this.#keep(key, version, covers);
    } catch {
      // The tile shows the icon of a folder. Opening the folder shows the error.
    }
    this.#running -= 1;
    this.#next();
  }

  #keep(key: string, version: string, covers: readonly FolderEntry[]): void {
    this.#read.delete(key);
    this.#read.set(key, { version, at: performance.now() });
    this.#known.set(key, covers);
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= MAX_FOLDERS) return;
      this.#read.delete(oldest);
      this.#known.delete(oldest);
    }
  }
}

const keyOf = ({ root, path }: FilePlace) => `${root}/${path}`;

const stores = new WeakMap<object, FolderCovers>();

/** Returns the covers that all views over a backend share. */
export function coversOf(folders: FoldersApi): FolderCovers {
  let store = stores.get(folders);
  if (store === undefined) stores.set(folders, (store = new FolderCovers(folders)));
  return store;
}
