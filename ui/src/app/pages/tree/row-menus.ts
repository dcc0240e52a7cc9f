// The menus of the tree of pages: the actions on a row, and the orders.
import Columns from "@lucide/svelte/icons/columns-2";
import CopyPlus from "@lucide/svelte/icons/copy-plus";
import ExternalLink from "@lucide/svelte/icons/external-link";
import FilePlus from "@lucide/svelte/icons/file-plus";
import FileText from "@lucide/svelte/icons/file-text";
import FolderInput from "@lucide/svelte/icons/folder-input";
import ListTree from "@lucide/svelte/icons/list-tree";
import Merge from "@lucide/svelte/icons/merge";
import Pin from "@lucide/svelte/icons/pin";
import PinOff from "@lucide/svelte/icons/pin-off";
import Trash2 from "@lucide/svelte/icons/trash-2";
import { t } from "../../../i18n";
import { wikiUrl } from "../../../markdown/links/page-path";
import type { MenuItem } from "../../../widgets";
import type { App } from "../../app.svelte";
import type { Subject } from "../page-moves";
import { duplicatePage } from "../page-reorganizing";
import { ADD_KEY, MOVE_KEY } from "./row-keys";
import type { TreeAppearance } from "./tree-view.svelte";

export { default as ContextMenu } from "../../../widgets/menus/ContextMenu.svelte";

/** The actions on a row; `page` is null for the top page, and for a path without a page. */
export function rowItems(app: App, path: string, page: Subject | null, { move, remove }: { move: () => void; remove: () => void }): MenuItem[] {
  const go = () => app.attempt(app.router.navigate(wikiUrl(path)));
  const add: MenuItem = { id: "row-add", label: t("tree.new_subpage"), keys: ADD_KEY, icon: FilePlus, run: () => app.askNewPageBelow(path) };
  if (page === null) return path === "/" ? [add] : [add, { id: "row-list", label: t("tree.list_below"), icon: ListTree, run: go }];
  const isPinned = app.pins.has(page.id);
  return [
    { id: "row-open", label: t("tree.open"), keys: "Enter", icon: FileText, run: go },
    { id: "row-tab", label: t("tabs.open_tab"), icon: ExternalLink, run: () => app.openTab(wikiUrl(path)) },
    ...(app.workspace === null ? [] : [{ id: "row-beside", label: t("tabs.open_beside"), keys: "Mod+Enter", icon: Columns, run: () => app.openBeside(wikiUrl(path)) }]),
    { ...add, group: 1 },
    { id: "row-pin", label: t(isPinned ? "tree.unpin" : "tree.pin"), icon: isPinned ? PinOff : Pin, group: 1, run: () => app.attempt(app.pins.toggle(page.id)) },
    { id: "row-move", label: t("move.menu"), keys: MOVE_KEY, icon: FolderInput, group: 1, run: move },
    { id: "row-duplicate", label: t("duplicate.menu"), icon: CopyPlus, group: 1, run: () => app.attempt(duplicatePage(app, page)) },
    { id: "row-merge", label: t("merge.menu"), icon: Merge, group: 1, run: () => void (app.dialog = { kind: "merge", page }) },
    { id: "row-delete", label: t("trash.delete"), keys: "Delete", icon: Trash2, group: 2, run: remove },
  ];
}

export function sortItems(appearance: TreeAppearance): MenuItem[] {
  return (["title", "path", "changed"] as const).map((sort) => ({
    id: sort,
    label: t(`tree.sort_${sort}`),
    checked: appearance.sort === sort,
    testId: `tree-sort-${sort}`,
    run: () => appearance.sortBy(sort),
  }));
}
