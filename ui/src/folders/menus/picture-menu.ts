// The menu of one picture outside of the grid of its folder: on the start page, among duplicates, in the filmstrip.
import Columns from "@lucide/svelte/icons/columns-2";
import ExternalLink from "@lucide/svelte/icons/external-link";
import Eye from "@lucide/svelte/icons/eye";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import Star from "@lucide/svelte/icons/star";
import StarOff from "@lucide/svelte/icons/star-off";
import { AlbumActions } from "../../albums";
import type { Backend, FilePlace, FolderEntry } from "../../api/backend";
import type { Host, MenuAction } from "../../api/host";
import { parentPath, ROOT_PATH } from "../../api/names";
import { t } from "../../i18n";
import { displayName } from "../entries/display-name";
import { placeOfEntry } from "../entries/folder-place";
import { ExternalActions } from "../file-ops/external-actions";
import { externalMenu } from "../file-ops/file-menu";
import { MarkEditor } from "../marks/mark-editor.svelte";
import { ratingOf, UNRATED } from "../marks/marks";
import { picturesAddress } from "../query/address";

export interface MenuPicture {
  /** The folder or the results to which the entry belongs. */
  folder: FilePlace;
  entry: FolderEntry;
  /** The address at which the picture opens. */
  address: string;
}

export interface PictureMenuTools {
  backend: Pick<Backend, "files" | "albums" | "roots" | "desktop">;
  host: Host;
}

/** Opens the menu; `own` are the actions of the view. */
export function showPictureMenu({ folder, entry, address }: MenuPicture, { backend, host }: PictureMenuTools, at: { x: number; y: number }, own: readonly MenuAction[] = []): void {
  const { openBeside } = host;
  const place = placeOfEntry(folder, entry);
  const targets = { folder: () => folder, targets: () => Promise.resolve([entry]) };
  const marks = new MarkEditor(backend, host, { ...targets, isRead: () => false, isRecursive: () => true, hold: (work) => work(), onmarked: () => {}, onrated: () => {} });
  const albums = new AlbumActions(backend, host, () => Promise.resolve({ pictures: [place], files: 1 }));
  const go = (to: string) => () => void host.navigate(to);
  const attempt = (work: () => unknown) => () => {
    void Promise.resolve()
      .then(work)
      .catch((error: unknown) => host.toast(host.describe(error), { tone: "bad" }));
  };
  const rate = async (rating: number) => {
    await marks.rate(rating);
    if (marks.message !== null) host.toast(marks.message, { tone: "good" });
  };
  const ratings = [5, 4, 3, 2, 1].map((count) => ({ id: `picture-rate-${count}`, label: t("marks.rate", { count }), icon: Star, group: 2, run: attempt(() => rate(count)) }));
  const unrate = { id: "picture-unrate", label: t("marks.unrate"), icon: StarOff, group: 2, run: attempt(() => rate(UNRATED)) };
  const favourite = albums.menu().filter(({ id }) => id === "album-favourite");
  host.showMenu(
    t("folders.menu_entry", { name: displayName(entry.name) }),
    [
      ...own.map((action) => ({ ...action, group: 0 })),
      { id: "picture-open", label: t("folders.menu_open"), icon: Eye, group: 1, run: go(address) },
      { id: "picture-tab", label: t("folders.menu_open_tab"), icon: ExternalLink, group: 1, run: () => host.openTab(address) },
      ...(openBeside === null ? [] : [{ id: "picture-beside", label: t("tabs.open_beside"), icon: Columns, group: 1, run: () => openBeside(address) }]),
      { id: "picture-folder", label: t("filter.open_group"), icon: FolderOpen, group: 1, run: go(picturesAddress(place.root, parentPath(place.path) ?? ROOT_PATH)) },
      ...ratings,
      ...(ratingOf(entry) === UNRATED ? [] : [unrate]),
      ...favourite.map(({ label, icon, run }) => ({ id: "picture-favourite", label, icon, group: 3, run: attempt(run) })),
      ...externalMenu(new ExternalActions(backend, host, targets)).map(({ id, label, icon, run }) => ({ id: `picture-${id}`, label, icon, group: 4, run: attempt(run) })),
    ],
    at,
  );
}
