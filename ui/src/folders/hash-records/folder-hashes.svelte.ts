// The hash records of a folder and those below it, or of the results of a search: the states of its files, and jobs that record and verify it.
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import ShieldPlus from "@lucide/svelte/icons/shield-plus";
import { SEARCH_ROOT } from "../../api/addresses/found-address";
import type { Backend, FilePlace, FolderEntry } from "../../api/backend";
import type { HashState } from "../../api/hashes";
import type { Action } from "../../api/host";
import { parentPath, ROOT_PATH } from "../../api/names";
import { FileStates } from "../../hash-state";
import { t } from "../../i18n";
import { placeOfEntry } from "../entries/folder-place";

export const VERIFY_KEY = "h";
export const RECORD_KEY = "Shift+h";

export class FolderHashes {
  readonly #files: FileStates;
  #folder = $state.raw<FilePlace | null>(null);

  constructor(
    private readonly backend: Pick<Backend, "hashes" | "events">,
    /** Called with a started job and a message about it. */
    private readonly onjob: (id: string, words: string) => void,
  ) {
    this.#files = new FileStates(backend);
  }

  /** Returns the state of a file. */
  readonly stateOf = (file: FolderEntry): HashState | null => {
    const folder = this.#folder;
    if (folder === null || file.kind === "folder") return null;
    return this.#files.statesIn(folderOf(folder, file)).get(file.name) ?? null;
  };

  /**
   * Returns the state that a cell shows, the most severe one of the picture's files: only where something is wrong or
   * missing. The folder itself tells the rest.
   */
  readonly badgeOf = (entry: FolderEntry): HashState | null => {
    const folder = this.#folder;
    if (folder === null || entry.kind === "folder") return null;
    const state = this.#files.worstOf(folderOf(folder, entry), entry);
    return state === "ok" ? null : state;
  };

  /** How many of the folder's own files are as recorded; null in a folder without records. */
  readonly verified = $derived.by(() => {
    const states = this.#folder === null ? [] : [...this.#files.statesIn(this.#folder).values()];
    return states.length === 0 ? null : { verified: states.filter((state) => state === "ok").length, of: states.length };
  });

  /** Reads the states of a folder in one request, and follows them. Returns a function that stops it. */
  follow(folder: FilePlace): () => void {
    this.#folder = folder;
    const stop = this.#files.follow();
    if (!isResults(folder)) this.#files.show([folder]);
    return () => {
      stop();
      this.#folder = null;
    };
  }

  /** Reads the states of the folders that contain these entries, beside those of the folder itself. */
  showFoldersOf(entries: readonly FolderEntry[]): void {
    const folder = this.#folder;
    if (folder === null) return;
    const folders = new Map(entries.flatMap((entry) => (entry.folder ? [[entry.folder, entry] as const] : [])));
    const own = isResults(folder) ? [] : [folder];
    this.#files.show([...own, ...[...folders.values()].map((entry) => folderOf(folder, entry))]);
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
}

function isResults({ root }: FilePlace): boolean {
  return root === SEARCH_ROOT;
}

/** Returns the own folder of an entry. */
function folderOf(folder: FilePlace, entry: FolderEntry): FilePlace {
  if (!entry.folder) return folder;
  const { root, path } = placeOfEntry(folder, entry);
  return { root, path: parentPath(path) ?? ROOT_PATH };
}
