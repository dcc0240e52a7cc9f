// The hash records of a folder: the states of its files by name, and jobs that record and verify it.
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import ShieldPlus from "@lucide/svelte/icons/shield-plus";
import { SEARCH_ROOT } from "../../api/addresses/found-address";
import type { Backend, FilePlace, FolderEntry } from "../../api/backend";
import { HASH_JOBS, type HashState } from "../../api/hashes";
import type { Action } from "../../api/host";
import { encodePathFields } from "../../api/names";
import { t } from "../../i18n";

export const VERIFY_KEY = "h";
export const RECORD_KEY = "Shift+h";

/** The delay after the last change of the folder before its states are read again, in milliseconds. */
const SETTLE = 1_000;

/** The states that a cell shows. The others say nothing about the visible file. */
const BADGE_STATES: readonly HashState[] = ["ok", "changed", "corrupt", "altered", "differs", "racy", "new"];

const NONE: ReadonlyMap<string, HashState> = new Map();

export class FolderHashes {
  #states = $state.raw(NONE);
  #folder: FilePlace | null = null;
  #reading = new AbortController();
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Pick<Backend, "hashes" | "events">,
    /** Called with a started job and a message about it. */
    private readonly onjob: (id: string, words: string) => void,
  ) {}

  /** Returns the state that an entry of the folder shows; null for entries in subfolders. */
  readonly stateOf = (entry: FolderEntry): HashState | null => (entry.kind === "folder" || entry.folder ? null : (this.#states.get(entry.name) ?? null));

  /** Returns the state that a cell shows: only where something is wrong or missing. The folder itself tells the rest. */
  readonly badgeOf = (entry: FolderEntry): HashState | null => {
    const state = this.stateOf(entry);
    return state === "ok" ? null : state;
  };

  /** How many of the folder's own files are as recorded; null in a folder without records. */
  readonly verified = $derived.by(() => {
    const states = [...this.#states.values()];
    return states.length === 0 ? null : { verified: states.filter((state) => state === "ok").length, of: states.length };
  });

  /** Reads the states of a folder in one request, and follows them. Returns a function that stops it. */
  follow(folder: FilePlace): () => void {
    // The results of a search are of many folders.
    if (folder.root === SEARCH_ROOT) return () => {};
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
        if (root === folder.root && (isWhole || encodePathFields(path, path_bytes) === folder.path)) soon();
      }),
      events.on("job.progress", ({ kind, state }) => {
        const hasEnded = state !== "queued" && state !== "running" && state !== "paused";
        if (hasEnded && HASH_JOBS.some((one) => one === kind)) void this.#read();
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
      this.#states = recorded === 0 ? NONE : new Map(Object.entries(states).filter(([, state]) => BADGE_STATES.includes(state)));
    } catch {
      // The pictures are the same without it.
    }
  }
}
