// The operations on a folder of the tree or of the start page, which need not be the one that is shown.
import type { Backend, FilePlace, FolderEntry } from "../../api/backend";
import type { Host } from "../../api/host";
import { type EncodedPath, joinPath, lastSegment, parentPath, pathFields, pathFrom, readableSegment, resolvePath, ROOT_PATH } from "../../api/names";
import { t } from "../../i18n";
import type { EntrySet, NamedFolder } from "../entries/folder-place";
import { FileActions, type Transfer } from "../file-ops/file-actions.svelte";
import { type FolderPlace, picturesAddress } from "../query/address";

export interface RowActionsOptions {
  backend: Pick<Backend, "files" | "folders" | "jobs" | "events" | "roots" | "desktop" | "hashes">;
  host: Pick<Host, "navigate" | "toast" | "confirm" | "describe">;
  /** Returns what is shown: it follows a folder that is renamed or moved. */
  shown: () => FolderPlace;
  /** Called with a started job and a message about it. */
  onjob: (id: string, words: string) => void;
}

export class FolderRowActions {
  readonly files: FileActions;
  /** The folder of the open dialog. */
  #chosen = $state.raw<EntrySet>({ folder: { root: "", path: ROOT_PATH }, entries: [] });

  constructor(private readonly options: RowActionsOptions) {
    this.files = new FileActions(options.backend, options.host, {
      folder: () => this.#chosen.folder,
      targets: () => Promise.resolve(this.#chosen.entries),
      hold: (work) => work(),
      onrenamed: (folder, names) => this.#follow(folder, names),
    });
  }

  /** The folder that contains the one of the open dialog. */
  get parent(): FilePlace {
    return this.#chosen.folder;
  }

  create(place: FilePlace, name: string): void {
    this.files.openNewFolderDialog({ root: place.root, path: place.path, name });
  }

  async rename(place: FilePlace): Promise<void> {
    this.#choose(place);
    await this.files.openRenameDialog();
  }

  async transfer(how: Transfer, place: FilePlace): Promise<void> {
    this.#choose(place);
    await this.files.openTargetDialog(how);
  }

  /** Moves a folder to the trash. If it is shown, the one above it is shown instead. */
  async moveToTrash(place: FilePlace): Promise<void> {
    const chosen = this.#choose(place);
    if ((await this.files.moveToTrash(chosen)) && this.#within(place) !== null) await this.#open(chosen.folder.root, chosen.folder.path);
  }

  /** Follows a folder that was moved, if it is shown. */
  readonly moved = async ({ folder, entries }: EntrySet, to: NamedFolder): Promise<void> => {
    for (const entry of entries) {
      const within = this.#within({ root: folder.root, path: joinPath(folder.path, entry) });
      if (within !== null) await this.#open(to.root, resolvePath(joinPath(to.path, entry), within));
    }
  };

  async verify(place: FilePlace): Promise<void> {
    this.options.onjob(await this.options.backend.hashes.verify({ place }), t("hashes.folder_verifying"));
  }

  async record(place: FilePlace): Promise<void> {
    this.options.onjob(await this.options.backend.hashes.record(place), t("hashes.folder_recording"));
  }

  #choose(place: FilePlace): EntrySet {
    this.#chosen = { folder: { root: place.root, path: parentPath(place.path) ?? ROOT_PATH }, entries: [entryOf(place.path)] };
    return this.#chosen;
  }

  /** Returns the path of the shown folder from another one; null if it is not inside it. */
  #within({ root, path }: FilePlace): EncodedPath | null {
    const shown = this.options.shown();
    if (shown.root !== root) return null;
    if (shown.path === path) return ROOT_PATH;
    return shown.path.startsWith(`${path}/`) ? pathFrom(path, shown.path) : null;
  }

  async #follow(folder: FilePlace, names: ReadonlyMap<EncodedPath, EncodedPath>): Promise<void> {
    for (const [from, to] of names) {
      const within = this.#within({ root: folder.root, path: resolvePath(folder.path, from) });
      if (within !== null) await this.#open(folder.root, resolvePath(resolvePath(folder.path, to), within), true);
    }
  }

  /** Opens a folder, with the picture that is viewed if it is still in it. */
  async #open(root: string, path: EncodedPath, keepsView = false): Promise<void> {
    await this.options.host.navigate(picturesAddress(root, path, keepsView ? this.options.shown().view : null), { replace: true });
  }
}

/** Returns a folder as an entry of the one that contains it. */
function entryOf(path: EncodedPath): FolderEntry {
  const name = lastSegment(path);
  const fields = pathFields(name);
  const names = "path" in fields ? { name: fields.path } : { name: readableSegment(name), name_bytes: fields.path_bytes };
  return { ...names, kind: "folder", size: 0, mtime: "" };
}
