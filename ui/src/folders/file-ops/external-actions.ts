// Actions that leave Fumikura: a path on the clipboard, the system's file manager, and the program that opens a
// picture.
import type { Backend, FilePlace, FolderEntry, Root } from "../../api/backend";
import type { Host } from "../../api/host";
import { type EncodedPath, joinPath, ROOT_PATH, pathFields } from "../../api/names";
import { t } from "../../i18n";
import { isSamePlace } from "../entries/folder-place";
import type { FileContext } from "./file-actions.svelte";
import { displayName } from "../entries/display-name";

/** The maximum number of pictures that are opened in other programs at once. */
const MAX_PICTURES = 10;

export class ExternalActions {
  constructor(
    private readonly backend: Pick<Backend, "roots" | "desktop">,
    private readonly host: Pick<Host, "toast" | "describe">,
    private readonly context: Pick<FileContext, "folder" | "targets">,
  ) {}

  /** True in the desktop window. */
  get isInWindow(): boolean {
    return this.backend.desktop !== null;
  }

  /** Copies the absolute paths of the action's entries, one per line; the folder's path if there are none. */
  readonly copyPath = async (): Promise<void> => {
    const { folder, entries } = await this.#targets();
    const root = (await this.backend.roots.list()).find(({ id }) => id === folder.root);
    if (!root) return;
    const paths = pathsOf(folder, entries).map((path) => absolute(root, path));
    const [first] = paths;
    if (paths.some((path) => path === null || path.includes("\n"))) {
      this.host.toast(t("outward.unwritable"), { tone: "warn" });
      return;
    }
    try {
      await navigator.clipboard.writeText(paths.join("\n"));
    } catch {
      this.host.toast(t("insert.gallery_failed"), { tone: "bad" });
      return;
    }
    this.host.toast(paths.length === 1 ? t("outward.copied_one", { path: displayName(first ?? "") }) : t("outward.copied", { count: paths.length }), { tone: "good" });
  };

  /** Shows the action's first entry, or the folder, in the file manager. */
  readonly reveal = async (): Promise<void> => {
    const { folder, entries } = await this.#targets();
    const [path] = pathsOf(folder, entries);
    await this.#attempt(async () => this.backend.desktop?.reveal({ root: folder.root, ...pathFields(path ?? folder.path) }));
  };

  /** Opens the action's pictures in the system's program for them. */
  readonly open = async (): Promise<void> => {
    const { folder, entries } = await this.#targets();
    const pictures = entries.filter(({ kind }) => kind === "picture");
    if (pictures.length === 0) return void this.host.toast(t("outward.none"));
    if (pictures.length > MAX_PICTURES) return void this.host.toast(t("outward.too_many", { count: MAX_PICTURES }), { tone: "warn" });
    await this.#attempt(async () => {
      for (const path of pathsOf(folder, pictures)) await this.backend.desktop?.openPicture({ root: folder.root, ...pathFields(path) });
    });
  };

  /** Opens a file of the folder in the system's program for it. */
  async openFile(entry: FolderEntry): Promise<void> {
    const folder = this.context.folder();
    await this.#attempt(async () => this.backend.desktop?.openPicture({ root: folder.root, ...pathFields(joinPath(folder.path, entry)) }));
  }

  /** Returns the action's entries; none if the folder has changed since the request. */
  async #targets(): Promise<{ folder: FilePlace; entries: readonly FolderEntry[] }> {
    const folder = this.context.folder();
    const entries = await this.context.targets();
    return { folder, entries: isSamePlace(folder, this.context.folder()) ? entries : [] };
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  }
}

/** Returns the paths of the entries; the folder's own path if there are none. */
function pathsOf({ path }: FilePlace, entries: readonly FolderEntry[]): EncodedPath[] {
  return entries.length === 0 ? [path] : entries.map((entry) => joinPath(path, entry));
}

/** Returns the absolute path; null if it is not UTF-8, as the clipboard takes text. */
function absolute(root: Root, path: EncodedPath): string | null {
  if (root.path_bytes) return null;
  if (path === ROOT_PATH) return root.path;
  const fields = pathFields(path);
  return "path" in fields ? `${root.path === "/" ? "" : root.path}/${fields.path}` : null;
}
