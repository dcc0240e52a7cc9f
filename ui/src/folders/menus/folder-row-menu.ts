// The context menu of a folder in the tree.
import Columns from "@lucide/svelte/icons/columns-2";
import ExternalLink from "@lucide/svelte/icons/external-link";
import Eye from "@lucide/svelte/icons/eye";
import FolderMinus from "@lucide/svelte/icons/folder-minus";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import type { Backend, FilePlace } from "../../api/backend";
import type { Host, MenuAction } from "../../api/host";
import { ROOT_PATH } from "../../api/names";
import { t } from "../../i18n";
import { displayName } from "../entries/display-name";
import { ExternalActions } from "../file-ops/external-actions";
import { externalMenu } from "../file-ops/file-menu";
import { picturesAddress } from "../query/address";
import type { Roots } from "../roots/roots.svelte";

export interface FolderRowTools {
  backend: Pick<Backend, "roots" | "desktop">;
  roots: Pick<Roots, "byId" | "remove">;
  host: Pick<Host, "navigate" | "openTab" | "openBeside" | "showMenu" | "confirm" | "toast" | "describe">;
}

/** Opens the menu of a folder. */
export function showFolderRowMenu(place: FilePlace, name: string, tools: FolderRowTools, at: { x: number; y: number }): void {
  tools.host.showMenu(t("folders.menu_folder", { name: displayName(name) }), itemsFor(place, name, tools), at);
}

/** Opens the menu of a link to a picture in a folder. */
export function showPictureLinkMenu(folder: FilePlace, name: string, address: string, host: FolderRowTools["host"], at: { x: number; y: number }): void {
  const { openBeside } = host;
  const go = (to: string) => () => void host.navigate(to);
  host.showMenu(
    t("folders.menu_entry", { name: displayName(name) }),
    [
      { id: "picture-open", label: t("folders.menu_open"), keys: "Enter", icon: Eye, group: 0, run: go(address) },
      { id: "picture-tab", label: t("folders.menu_open_tab"), icon: ExternalLink, group: 0, run: () => host.openTab(address) },
      ...(openBeside === null ? [] : [{ id: "picture-beside", label: t("tabs.open_beside"), keys: "Mod+Enter", icon: Columns, group: 0, run: () => openBeside(address) }]),
      { id: "picture-folder", label: t("filter.open_group"), icon: FolderOpen, group: 1, run: go(picturesAddress(folder.root, folder.path)) },
    ],
    at,
  );
}

function itemsFor(place: FilePlace, name: string, { backend, roots, host }: FolderRowTools): MenuAction[] {
  const address = picturesAddress(place.root, place.path);
  const { openBeside } = host;
  const outward = new ExternalActions(backend, host, { folder: () => place, targets: () => Promise.resolve([]) });
  const attempt = (work: () => Promise<unknown> | void) => () => {
    void (async () => work())().catch((error: unknown) => host.toast(host.describe(error), { tone: "bad" }));
  };
  const forget = async () => {
    const yes = await host.confirm({ title: t("folders.forget_title", { name: displayName(name) }), message: t("folders.forget_message"), confirm: t("folders.forget") });
    if (yes) await roots.remove(place.root);
  };
  return [
    { id: "folder-open", label: t("folders.menu_open"), keys: "Enter", icon: FolderOpen, group: 0, run: attempt(() => host.navigate(address)) },
    { id: "folder-tab", label: t("folders.menu_open_tab"), icon: ExternalLink, group: 0, run: () => host.openTab(address) },
    ...(openBeside === null ? [] : [{ id: "folder-beside", label: t("tabs.open_beside"), keys: "Mod+Enter", icon: Columns, group: 0, run: () => openBeside(address) }]),
    // Its keys are about the folder on the screen; another program has no action on folders.
    ...externalMenu(outward).flatMap(({ id, label, icon, run }) => (id === "open-with" ? [] : [{ id: `folder-${id}`, label, icon, group: 1, run: attempt(run) }])),
    ...(place.path === ROOT_PATH ? [{ id: "folder-forget", label: t("folders.forget"), icon: FolderMinus, group: 2, run: attempt(forget) }] : []),
  ];
}
