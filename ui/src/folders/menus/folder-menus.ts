// The context menus of a folder: of its entries, of the picture in the viewer, and of the folder itself. They offer the
// actions of the view's own menu that suit their object.
import Columns from "@lucide/svelte/icons/columns-2";
import CornerLeftUp from "@lucide/svelte/icons/corner-left-up";
import Crop from "@lucide/svelte/icons/crop";
import ExternalLink from "@lucide/svelte/icons/external-link";
import Eye from "@lucide/svelte/icons/eye";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import Info from "@lucide/svelte/icons/info";
import Maximize from "@lucide/svelte/icons/maximize";
import RefreshCw from "@lucide/svelte/icons/refresh-cw";
import SquareCheck from "@lucide/svelte/icons/square-check";
import type { FolderEntry } from "../../api/backend";
import type { Action, Host, MenuAction } from "../../api/host";
import { formatNumber, t } from "../../i18n";
import { CROP_KEY } from "../crop/crop-shortcuts";
import { displayName } from "../entries/display-name";
import type { FolderState } from "../folder-state.svelte";
import { entryAddress } from "../query/address";
import { COMPARE_KEY, FULL_KEY, INFO_KEY } from "../shortcuts/keys";
import { ENTRY_GROUPS, FOLDER_GROUPS } from "./menu-groups";

export interface ObjectMenu {
  label: string;
  items: MenuAction[];
}

/** Those that a folder has, too. */
const OF_FOLDERS: ReadonlySet<string> = new Set(["files-rename", "files-move", "files-copy", "copy-path", "reveal", "files-bin"]);

/** The menu of an entry in the grid, which is selected already; the actions are those of the whole selection. */
export function entryMenu(model: FolderState, entry: FolderEntry, host: Host): ObjectMenu {
  const { selection } = model;
  const count = Math.max(1, selection.count);
  const address = entryAddress(model.root, model.path, entry);
  const isPicture = entry.kind === "picture";
  const opening: MenuAction[] =
    count > 1
      ? isPicture
        ? [{ id: "entry-compare", label: t("folders.compare_do"), keys: COMPARE_KEY, icon: Columns, group: 0, run: attempt(host, () => model.startComparison()) }]
        : []
      : [
          { id: "entry-open", label: t("folders.menu_open"), keys: "Enter", icon: isPicture ? Eye : FolderOpen, group: 0, run: () => model.open(entry) },
          ...(address === null ? [] : [{ id: "entry-tab", label: t("folders.menu_open_tab"), icon: ExternalLink, group: 0, run: () => host.openTab(address) }]),
        ];
  const actions = model.actions.filter(({ id }) => isPicture || OF_FOLDERS.has(id));
  return {
    label: count > 1 ? t("folders.menu_entries", { count: formatNumber(count) }) : t("folders.menu_entry", { name: displayName(entry.name) }),
    items: [...opening, ...itemsOf(actions, ENTRY_GROUPS, host)],
  };
}

/** The menu of the picture in the viewer. */
export function viewerMenu(model: FolderState, entry: FolderEntry, host: Host): ObjectMenu {
  const { viewer } = model;
  const own: MenuAction[] = [
    { id: "viewer-info", label: t("folders.info_toggle"), keys: INFO_KEY, icon: Info, group: 0, run: viewer.toggleInfo },
    { id: "viewer-full", label: t(viewer.fullscreen.isOn ? "folders.full_leave" : "folders.full"), keys: FULL_KEY, icon: Maximize, group: 0, run: viewer.fullscreen.toggle },
    ...(entry.video ? [] : [{ id: "viewer-crop", label: t("crop.start"), keys: CROP_KEY, icon: Crop, group: 1, run: viewer.startCrop }]),
  ];
  const items = [...own, ...itemsOf(model.actions, ENTRY_GROUPS, host)].sort((a, b) => (a.group ?? 0) - (b.group ?? 0));
  return { label: t("folders.menu_entry", { name: displayName(entry.name) }), items };
}

/** The menu of the compared picture that has the focus. */
export function comparedMenu(model: FolderState, entry: FolderEntry, host: Host): ObjectMenu {
  return { label: t("folders.menu_entry", { name: displayName(entry.name) }), items: itemsOf(model.actions, ENTRY_GROUPS, host) };
}

/** The menu of the folder itself, on the space beside its entries. Nothing is selected. */
export function folderMenu(model: FolderState, host: Host): ObjectMenu {
  const own: MenuAction[] = [
    { id: "folder-select-all", label: t("folders.select_all"), keys: "Mod+a", icon: SquareCheck, group: 0, disabled: model.listing.isEmpty, run: () => model.selection.all() },
    { id: "folder-refresh", label: t("folders.refresh"), keys: "r", icon: RefreshCw, group: 0, run: attempt(host, () => model.listings.requested.refresh()) },
    { id: "folder-up", label: t("folders.up"), keys: "Backspace", icon: CornerLeftUp, group: 0, run: attempt(host, () => host.navigate(model.above)) },
  ];
  return { label: t("folders.menu_folder", { name: model.folderName }), items: [...own, ...itemsOf(model.actions, FOLDER_GROUPS, host)] };
}

/** The actions that have a group, in the order of the groups. */
function itemsOf(actions: readonly Action[], groups: Readonly<Record<string, number>>, host: Host): MenuAction[] {
  return actions
    .flatMap(({ id, label, key, icon, disabled, run }): (MenuAction & { group: number })[] => {
      const group = groups[id];
      return group === undefined ? [] : [{ id: `menu-${id}`, label, keys: key, icon, disabled, group, run: attempt(host, async () => run()) }];
    })
    .sort((a, b) => a.group - b.group);
}

function attempt(host: Host, work: () => Promise<unknown>): () => void {
  return () => void work().catch((error: unknown) => host.toast(host.describe(error), { tone: "bad" }));
}
