// Actions that leave Fumikura: a path on the clipboard, the system's file manager, and the program that opens a
// picture.
import { SEARCH_ROOT } from "../../api/addresses/found-address";
import type { Backend, FilePlace, FolderEntry, Root } from "../../api/backend";
import type { Host } from "../../api/host";
import { type EncodedPath, ROOT_PATH, pathFields } from "../../api/names";
import { t } from "../../i18n";
import { isSamePlace, placeOfEntry } from "../entries/folder-place";
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
    const roots = await this.backend.roots.list();
    const places = placesOf(folder, entries).flatMap(({ root: id, path }) => {
      const root = roots.find((one) => one.id === id);
      return root ? [{ root, path }] : [];
    });
    if (places.length === 0) return;
    const paths = places.map(({ root, path }) => absolute(root, path));
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
    const [first] = placesOf(folder, entries);
    if (first) await this.#attempt(async () => this.backend.desktop?.reveal(fieldsOf(first)));
  };

  /** Opens the action's pictures in the system's program for them. */
  readonly open = async (): Promise<void> => {
    const { folder, entries } = await this.#targets();
    const pictures = entries.filter(({ kind }) => kind === "picture");
    if (pictures.length === 0) return void this.host.toast(t("outward.none"));
    if (pictures.length > MAX_PICTURES) return void this.host.toast(t("outward.too_many", { count: MAX_PICTURES }), { tone: "warn" });
    await this.#attempt(async () => {
      for (const place of placesOf(folder, pictures)) await this.backend.desktop?.openPicture(fieldsOf(place));
    });
  };

  /** Opens a file of the folder in the system's program for it. */
  async openFile(entry: FolderEntry): Promise<void> {
    const place = placeOfEntry(this.context.folder(), entry);
    await this.#attempt(async () => this.backend.desktop?.openPicture(fieldsOf(place)));
  }

  /** Passes files to the program on which their drag, which carries the link, is dropped. */
  async drag(link: string, files: readonly FilePlace[]): Promise<void> {
    await this.#attempt(async () => this.backend.desktop?.dragFiles(link, files.map(fieldsOf)));
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

/** Returns the places of the entries. If there are none, it is that of the folder, which the results of a search do not have. */
function placesOf(folder: FilePlace, entries: readonly FolderEntry[]): FilePlace[] {
  if (entries.length > 0) return entries.map((entry) => placeOfEntry(folder, entry));
  return folder.root === SEARCH_ROOT ? [] : [folder];
}

function fieldsOf({ root, path }: FilePlace) {
  return { root, ...pathFields(path) };
}

/** Returns the absolute path; null if it is not UTF-8, as the clipboard takes text. */
function absolute(root: Root, path: EncodedPath): string | null {
  if (root.path_bytes) return null;
  if (path === ROOT_PATH) return root.path;
  const fields = pathFields(path);
  return "path" in fields ? `${root.path === "/" ? "" : root.path}/${fields.path}` : null;
}
