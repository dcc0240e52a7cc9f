// The context menu of a folder in the tree.
import Columns from "@lucide/svelte/icons/columns-2";
import Copy from "@lucide/svelte/icons/copy";
import CopyCheck from "@lucide/svelte/icons/copy-check";
import ExternalLink from "@lucide/svelte/icons/external-link";
import FolderInput from "@lucide/svelte/icons/folder-input";
import FolderMinus from "@lucide/svelte/icons/folder-minus";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import FolderPlus from "@lucide/svelte/icons/folder-plus";
import PenLine from "@lucide/svelte/icons/pen-line";
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import ShieldPlus from "@lucide/svelte/icons/shield-plus";
import Trash2 from "@lucide/svelte/icons/trash-2";
import { duplicatesAddress } from "../../api/addresses/duplicates-address";
import type { Backend, FilePlace } from "../../api/backend";
import type { Host, MenuAction } from "../../api/host";
import { ROOT_PATH } from "../../api/names";
import { t } from "../../i18n";
import { displayName } from "../entries/display-name";
import { ExternalActions } from "../file-ops/external-actions";
import { externalMenu } from "../file-ops/file-menu";
import { picturesAddress } from "../query/address";
import type { Roots } from "../roots/roots.svelte";
import type { FolderRowActions } from "./folder-row-actions.svelte";

export interface FolderRowTools {
  backend: Pick<Backend, "roots" | "desktop">;
  roots: Pick<Roots, "byId" | "remove">;
  actions: FolderRowActions;
  host: Pick<Host, "navigate" | "openTab" | "openBeside" | "showMenu" | "confirm" | "toast" | "describe">;
}

/** Opens the menu of a folder. */
export function showFolderRowMenu(place: FilePlace, name: string, tools: FolderRowTools, at: { x: number; y: number }): void {
  tools.host.showMenu(t("folders.menu_folder", { name: displayName(name) }), itemsFor(place, name, tools), at);
}

function itemsFor(place: FilePlace, name: string, { backend, roots, actions, host }: FolderRowTools): MenuAction[] {
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
  const isRoot = place.path === ROOT_PATH;
  const isAvailable = roots.byId(place.root)?.available !== false;
  // A folder that was opened is at the top: only what is below it can be renamed, moved or deleted.
  const ofFiles: MenuAction[] = isRoot
    ? []
    : [
        { id: "folder-rename", label: t("files.rename"), icon: PenLine, group: 2, run: attempt(() => actions.rename(place)) },
        { id: "folder-move", label: t("files.move"), icon: FolderInput, group: 2, run: attempt(() => actions.transfer("move", place)) },
        { id: "folder-copy", label: t("files.copy"), icon: Copy, group: 2, run: attempt(() => actions.transfer("copy", place)) },
      ];
  const ofContents: MenuAction[] = [
    { id: "folder-verify", label: t("hashes.folder_verify"), icon: ShieldCheck, group: 3, run: attempt(() => actions.verify(place)) },
    { id: "folder-record", label: t("hashes.folder_record"), icon: ShieldPlus, group: 3, run: attempt(() => actions.record(place)) },
    { id: "folder-duplicates", label: t("duplicates.find"), icon: CopyCheck, group: 3, run: attempt(() => host.navigate(duplicatesAddress(place))) },
  ];
  return [
    { id: "folder-open", label: t("folders.menu_open"), keys: "Enter", icon: FolderOpen, group: 0, run: attempt(() => host.navigate(address)) },
    { id: "folder-tab", label: t("folders.menu_open_tab"), icon: ExternalLink, group: 0, run: () => host.openTab(address) },
    ...(openBeside === null ? [] : [{ id: "folder-beside", label: t("tabs.open_beside"), keys: "Mod+Enter", icon: Columns, group: 0, run: () => openBeside(address) }]),
    ...(isAvailable ? [{ id: "folder-new", label: t("files.target_new"), icon: FolderPlus, group: 1, run: attempt(() => actions.create(place, displayName(name))) }] : []),
    // Its keys are about the folder on the screen; another program has no action on folders.
    ...externalMenu(outward).flatMap(({ id, label, icon, run }) => (id === "open-with" ? [] : [{ id: `folder-${id}`, label, icon, group: 1, run: attempt(run) }])),
    ...(isAvailable ? [...ofFiles, ...ofContents] : []),
    ...(isRoot
      ? [{ id: "folder-forget", label: t("folders.forget"), icon: FolderMinus, group: 4, run: attempt(forget) }]
      : isAvailable
        ? [{ id: "folder-bin", label: t("files.bin"), icon: Trash2, group: 4, run: attempt(() => actions.moveToTrash(place)) }]
        : []),
  ];
}
