// The keys of the tabs and panes.
import type { Shortcut } from "../../api/host";
import { t } from "../../i18n";
import type { App } from "../app.svelte";
import { focusRegion } from "../keys/regions";
import { linkAddress } from "../window/links";
import type { Workspace } from "./workspace.svelte";

export const TAB_KEYS = {
  open: "Mod+t",
  close: "Mod+w",
  reopen: "Mod+Shift+t",
  next: "Mod+Tab",
  previous: "Mod+Shift+Tab",
  left: "Mod+Shift+PageUp",
  right: "Mod+Shift+PageDown",
  beside: "Mod+Enter",
  nextRegion: "F6",
  previousRegion: "Shift+F6",
} as const;

/** Registers them; returns a function that removes them. Read inside an effect, they follow the tabs. */
export function tabShortcuts(app: App, workspace: Workspace): () => void {
  const { tabs, active, beside } = workspace;
  const isBeside = beside !== null && app.pane === beside;
  const at = tabs.indexOf(active);
  const shortcuts: Shortcut[] = [
    { id: "tab-new", label: t("tabs.new"), key: TAB_KEYS.open, run: () => workspace.openNew() },
    ...(workspace.canReopen ? [{ id: "tab-reopen", label: t("tabs.reopen"), key: TAB_KEYS.reopen, run: () => workspace.reopen() }] : []),
    // Unlike single keys, these work in text: there, Mod and Enter have a meaning of their own.
    { id: "open-beside", label: t("tabs.link_beside"), key: TAB_KEYS.beside, palette: false, whileTyping: false, run: () => openLinkBeside(app, workspace) },
    ...(isBeside ? [{ id: "pane-close", label: t("tabs.close_pane"), key: TAB_KEYS.close, run: () => workspace.closeBeside() }] : []),
    { id: "region-next", label: t("keys.next_region"), key: TAB_KEYS.nextRegion, palette: false, whileTyping: true, run: () => focusRegion(1) },
    { id: "region-previous", label: t("keys.previous_region"), key: TAB_KEYS.previousRegion, palette: false, whileTyping: true, run: () => focusRegion(-1) },
  ];
  if (tabs.length > 1) {
    shortcuts.push(
      ...(isBeside ? [] : [{ id: "tab-close", label: t("tabs.close"), key: TAB_KEYS.close, run: async () => void (await workspace.close(active)) }]),
      { id: "tab-next", label: t("tabs.next"), key: TAB_KEYS.next, run: () => workspace.step(1) },
      { id: "tab-previous", label: t("tabs.previous"), key: TAB_KEYS.previous, run: () => workspace.step(-1) },
      { id: "tab-left", label: t("tabs.left"), key: TAB_KEYS.left, run: () => workspace.move(active, at - 1) },
      { id: "tab-right", label: t("tabs.right"), key: TAB_KEYS.right, run: () => workspace.move(active, at + 1) },
    );
  }
  const removers = shortcuts.map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}

/** Opens the link with the focus, or below the pointer, in the second pane. */
async function openLinkBeside(app: App, workspace: Workspace): Promise<void> {
  const focused = document.activeElement?.closest("a[href]") ?? null;
  const link = focused ?? [...document.querySelectorAll("a[href]:hover")].at(-1) ?? null;
  const address = link === null ? null : linkAddress(link, app.router.url);
  if (address !== null) await workspace.openBeside(address);
}
