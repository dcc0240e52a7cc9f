// The menu of a tab.
import Columns from "@lucide/svelte/icons/columns-2";
import Copy from "@lucide/svelte/icons/copy";
import Undo from "@lucide/svelte/icons/undo-2";
import X from "@lucide/svelte/icons/x";
import { t } from "../../i18n";
import type { MenuItem } from "../../widgets";
import type { App } from "../app.svelte";
import type { Pane } from "../pane.svelte";
import { lastingAddress } from "../window/desktop-window";
import { TAB_KEYS } from "./keys";
import type { Workspace } from "./workspace.svelte";

export { default as ContextMenu } from "../../widgets/menus/ContextMenu.svelte";

export function tabItems(app: App, workspace: Workspace, tab: Pane): MenuItem[] {
  const { tabs } = workspace;
  const [others, after] = [tabs.filter((one) => one !== tab), tabs.slice(tabs.indexOf(tab) + 1)];
  const closeAll = (all: readonly Pane[]) => () => app.attempt(workspace.closeAll(all));
  // The keys act on the shown tab.
  const keysOf = (keys: string) => (tab === workspace.active ? keys : undefined);
  return [
    { id: "tab-beside", group: 0, label: t("tabs.open_beside"), icon: Columns, run: () => app.attempt(workspace.openBeside(lastingAddress(tab.router))) },
    { id: "tab-duplicate", group: 0, label: t("tabs.duplicate"), icon: Copy, run: () => workspace.duplicate(tab) },
    { id: "tab-left", group: 1, label: t("tabs.left"), keys: keysOf(TAB_KEYS.left), disabled: tabs[0] === tab, run: () => workspace.move(tab, tabs.indexOf(tab) - 1) },
    { id: "tab-right", group: 1, label: t("tabs.right"), keys: keysOf(TAB_KEYS.right), disabled: after.length === 0, run: () => workspace.move(tab, tabs.indexOf(tab) + 1) },
    { id: "tab-close", group: 2, label: t("tabs.close"), keys: keysOf(TAB_KEYS.close), icon: X, run: () => app.attempt(workspace.close(tab)) },
    { id: "tab-close-others", group: 2, label: t("tabs.close_others"), disabled: others.length === 0, run: closeAll(others) },
    { id: "tab-close-right", group: 2, label: t("tabs.close_right"), disabled: after.length === 0, run: closeAll(after) },
    { id: "tab-reopen", group: 2, label: t("tabs.reopen"), keys: TAB_KEYS.reopen, icon: Undo, disabled: !workspace.canReopen, run: () => workspace.reopen() },
  ];
}
