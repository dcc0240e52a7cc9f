// The hash records of one folder: the states of its files, by name, and recording and verifying it.
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import ShieldPlus from "@lucide/svelte/icons/shield-plus";
import type { Backend, FilePlace, FolderEntry } from "../api/backend";
import { HASH_JOBS, type HashState } from "../api/hashes";
import type { Action } from "../api/host";
import { encodeToldPath } from "../api/names";
import { t } from "../i18n";

export const VERIFY_KEY = "h";
export const RECORD_KEY = "Shift+h";

/** Milliseconds after the last change in the folder before its states are read again. */
const SETTLE = 1_000;

/** States that a cell shows; the others say nothing about the file that is seen. */
const SHOWN: readonly HashState[] = ["ok", "changed", "corrupt", "altered", "differs", "racy", "new"];

const NONE: ReadonlyMap<string, HashState> = new Map();

export class FolderHashes {
  #states = $state.raw(NONE);
  #folder: FilePlace | null = null;
  #reading = new AbortController();
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Pick<Backend, "hashes" | "events">,
    /** Told of a job that was begun, with the words that say so. */
    private readonly onjob: (id: string, words: string) => void,
  ) {}

  /** The state that an entry of the folder shows; null for what lies deeper. */
  readonly stateOf = (entry: FolderEntry): HashState | null => (entry.kind === "folder" || entry.folder ? null : (this.#states.get(entry.name) ?? null));

  /** Reads the states of a folder in one request, and follows them; returns how to stop. */
  follow(folder: FilePlace): () => void {
    this.#folder = folder;
    const { events } = this.backend;
    const soon = () => {
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => void this.#read(), SETTLE);
    };
    void this.#read();
    const stops = [
      events.on("folder.changed", ({ root, path, path_bytes }) => {
        const isWhole = path === null || path === undefined;
        if (root === folder.root && (isWhole || encodeToldPath(path, path_bytes) === folder.path)) soon();
      }),
      events.on("job.progress", ({ kind, state }) => {
        if (state !== "running" && state !== "paused" && HASH_JOBS.some((one) => one === kind)) void this.#read();
      }),
      events.on("resync", soon),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#settling);
      this.#reading.abort();
      this.#states = NONE;
      this.#folder = null;
    };
  }

  menu(): Action[] {
    const menu = true;
    return [
      { id: "hash-verify-folder", label: t("hashes.folder_verify"), key: VERIFY_KEY, menu, icon: ShieldCheck, run: () => this.verify() },
      { id: "hash-record-folder", label: t("hashes.folder_record"), key: RECORD_KEY, menu, icon: ShieldPlus, run: () => this.record() },
    ];
  }

  async record(): Promise<void> {
    const folder = this.#folder;
    if (folder === null) return;
    this.onjob(await this.backend.hashes.record(folder), t("hashes.folder_recording"));
  }

  async verify(): Promise<void> {
    const folder = this.#folder;
    if (folder === null) return;
    this.onjob(await this.backend.hashes.verify({ place: folder }), t("hashes.folder_verifying"));
  }

  async #read(): Promise<void> {
    const folder = this.#folder;
    if (folder === null) return;
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const { states, recorded } = await this.backend.hashes.badges(folder, signal);
      if (signal.aborted) return;
      this.#states = recorded === 0 ? NONE : new Map(Object.entries(states).filter(([, state]) => SHOWN.includes(state)));
    } catch {
      // The pictures are the same without it.
    }
  }
}
