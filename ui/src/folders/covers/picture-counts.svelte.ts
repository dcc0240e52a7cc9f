// The numbers of pictures in the folders in view and below them: requested together, and cached.
import { SvelteMap } from "svelte/reactivity";
import type { FilePlace, FoldersApi } from "../../api/backend";

/** The number of folders in a request. */
const MAX_ASKED = 100;
/** The time in which folders come into view before they are requested, in milliseconds. */
const DELAY = 50;
/** The time after which numbers that may have changed are requested again, in milliseconds; doubled while some are missing. */
const PAUSE = 3_000;
const MAX_PAUSE = 60_000;
/** The age above which a number is read again when its folder comes into view, in milliseconds. */
const FRESH = 30_000;
/** The number of folders whose numbers are cached. */
const MAX_FOLDERS = 2_000;

interface WantedFolder {
  readonly place: FilePlace;
  readonly version: string;
}

export class PictureCounts {
  readonly #known = new SvelteMap<string, number>();
  readonly #read = new Map<string, { version: string; at: number }>();
  /** The folders in view, and those among them that are to be requested. */
  readonly #wanted = new Map<string, Set<WantedFolder>>();
  readonly #due = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #pause = PAUSE;

  constructor(private readonly folders: Pick<FoldersApi, "counts">) {}

  /** Returns the number of pictures in a folder and below it; undefined until it was read once. */
  of(place: FilePlace): number | undefined {
    return this.#known.get(keyOf(place));
  }

  /**
   * Requests the number of a folder in view, unless it was read a moment ago, and in this version of the folder.
   * Returns a function to call when it has left the view.
   */
  want(place: FilePlace, version: string): () => void {
    const key = keyOf(place);
    const wanted = { place, version };
    this.#wanted.set(key, (this.#wanted.get(key) ?? new Set()).add(wanted));
    const read = this.#read.get(key);
    if (read?.version !== version || performance.now() - read.at >= FRESH) {
      this.#due.add(key);
      this.#askSoon();
    }
    return () => {
      const others = this.#wanted.get(key);
      others?.delete(wanted);
      if (others?.size === 0) this.#wanted.delete(key);
    };
  }

  /** Requests the numbers of all folders in view again after a while, as a folder has changed. */
  refresh(): void {
    this.#read.clear();
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      for (const key of this.#wanted.keys()) this.#due.add(key);
      this.#askSoon();
    }, this.#pause);
  }

  #askSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, DELAY);
  }

  /** Requests the folders that are due, and still in view. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    const asked = this.#takeDue();
    if (asked.length === 0) return;
    this.#isAsking = true;
    try {
      const { counts, partial } = await this.folders.counts(asked.map(({ place }) => place));
      asked.forEach((folder, index) => this.#keep(folder, counts[index] ?? null));
      if (partial) this.refresh();
      this.#pause = partial ? Math.min(2 * this.#pause, MAX_PAUSE) : PAUSE;
    } catch {
      // The folders are shown without numbers. Opening one shows the error.
    }
    this.#isAsking = false;
    if (this.#due.size > 0) this.#askSoon();
  }

  #takeDue(): WantedFolder[] {
    const asked: WantedFolder[] = [];
    for (const key of this.#due) {
      if (asked.length === MAX_ASKED) break;
      this.#due.delete(key);
      const [folder] = this.#wanted.get(key) ?? [];
      if (folder) asked.push(folder);
    }
    return asked;
  }

  #keep({ place, version }: WantedFolder, count: number | null): void {
    if (count === null) return;
    const key = keyOf(place);
    this.#read.delete(key);
    this.#read.set(key, { version, at: performance.now() });
    if (this.#known.get(key) !== count) this.#known.set(key, count);
    if (this.#known.size <= MAX_FOLDERS) return;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_FOLDERS) break;
      if (!this.#wanted.has(oldest)) this.#known.delete(oldest);
    }
  }
}

const keyOf = ({ root, path }: FilePlace) => `${root}/${path}`;

const stores = new WeakMap<object, PictureCounts>();

/** Returns the numbers that all views over a backend share. */
export function countsOf(folders: FoldersApi): PictureCounts {
  let store = stores.get(folders);
  if (store === undefined) stores.set(folders, (store = new PictureCounts(folders)));
  return store;
}
