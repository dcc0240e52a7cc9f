// The states of files by their hash records, read folder by folder.
import type { Backend, FilePlace, FolderEntry } from "../api/backend";
import { HASH_JOBS, type HashState } from "../api/hashes";
import { encodePathFields } from "../api/names";
import { BY_SEVERITY } from "./severity";

/** The delay after the last change of a folder before its states are read again, in milliseconds. */
const SETTLE = 1_000;

/** The states that are shown. The others say nothing about the visible file. */
const SHOWN_STATES: readonly HashState[] = ["ok", "changed", "corrupt", "altered", "differs", "racy", "new"];

/** The states of the files of a folder, by name. */
type FolderStates = ReadonlyMap<string, HashState>;

const NONE: FolderStates = new Map();

export class FileStates {
  #states = $state.raw<ReadonlyMap<string, FolderStates>>(new Map());
  /** The folders whose states are shown, by their ids. */
  #folders: ReadonlyMap<string, FilePlace> = new Map();
  /** The ids of the folders that are still to be read, in order. */
  readonly #unread = new Set<string>();
  #isReading = false;
  #reading = new AbortController();
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** The ids of the folders that have changed lately. */
  readonly #changed = new Set<string>();

  constructor(private readonly backend: Pick<Backend, "hashes" | "events">) {}

  /** Returns the states of a folder's files, by name; none before they are read, and in a folder without records. */
  statesIn(folder: FilePlace): FolderStates {
    return this.#states.get(idOf(folder)) ?? NONE;
  }

  /** Returns the most severe state of the files of a picture in a folder; null without any. */
  worstOf(folder: FilePlace, { name, companions }: Pick<FolderEntry, "name" | "companions">): HashState | null {
    const states = this.statesIn(folder);
    const found = [name, ...(companions ?? []).map((other) => other.name)].map((one) => states.get(one));
    return BY_SEVERITY.find((state) => found.includes(state)) ?? null;
  }

  /** Sets the folders whose states are shown. Those that were shown before keep their states. */
  show(folders: Iterable<FilePlace>): void {
    const before = this.#folders;
    this.#folders = new Map([...folders].map((folder) => [idOf(folder), folder]));
    for (const id of this.#folders.keys()) {
      if (!before.has(id)) this.#unread.add(id);
    }
    void this.#read();
  }

  /** Follows changes of the shown folders and of their records. Returns a function that stops it. */
  follow(): () => void {
    const { events } = this.backend;
    const stops = [
      events.on("folder.changed", ({ root, path, path_bytes }) => {
        const at = path === null || path === undefined ? null : encodePathFields(path, path_bytes);
        this.#readSoon(({ root: of, path: within }) => of === root && (at === null || at === within));
      }),
      events.on("job.progress", ({ kind, state }) => {
        const hasEnded = state !== "queued" && state !== "running" && state !== "paused";
        if (hasEnded && HASH_JOBS.some((one) => one === kind)) this.#readAgain(this.#folders.keys());
      }),
      events.on("resync", () => this.#readSoon(() => true)),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#settling);
      this.#reading.abort();
      this.#reading = new AbortController();
      this.#unread.clear();
      this.#changed.clear();
      this.#folders = new Map();
      this.#states = new Map();
    };
  }

  #readSoon(hasChanged: (folder: FilePlace) => boolean): void {
    const changed = [...this.#folders].filter(([, folder]) => hasChanged(folder));
    if (changed.length === 0) return;
    for (const [id] of changed) this.#changed.add(id);
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const ids = [...this.#changed];
      this.#changed.clear();
      this.#readAgain(ids);
    }, SETTLE);
  }

  #readAgain(ids: Iterable<string>): void {
    for (const id of ids) this.#unread.add(id);
    void this.#read();
  }

  /** Reads the unread folders one after the other. */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (const id of this.#unread) {
        this.#unread.delete(id);
        const folder = this.#folders.get(id);
        if (folder) await this.#readFolder(id, folder);
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readFolder(id: string, folder: FilePlace): Promise<void> {
    const { signal } = this.#reading;
    try {
      const { states, recorded } = await this.backend.hashes.badges(folder, signal);
      if (signal.aborted) return;
      const shown = recorded === 0 ? NONE : new Map(Object.entries(states).filter(([, state]) => SHOWN_STATES.includes(state)));
      if (shown.size > 0 || this.#states.has(id)) this.#states = new Map([...this.#states, [id, shown]]);
    } catch {
      // The pictures are the same without it.
    }
  }
}

function idOf({ root, path }: FilePlace): string {
  return `${root}/${path}`;
}
