// The actions on the open page beyond reading and writing it.
import CopyPlus from "@lucide/svelte/icons/copy-plus";
import FolderInput from "@lucide/svelte/icons/folder-input";
import History from "@lucide/svelte/icons/history";
import Merge from "@lucide/svelte/icons/merge";
import Pin from "@lucide/svelte/icons/pin";
import PinOff from "@lucide/svelte/icons/pin-off";
import Trash2 from "@lucide/svelte/icons/trash-2";
import type { Action } from "../../api/host";
import { t } from "../../i18n";
import { historyUrl } from "../../history/address";
import type { DisplayedPage } from "../../wiki";
import type { App } from "../app.svelte";
import { beginDelete, type Subject } from "./page-moves";

export const PIN_KEY = "p";
export const DUPLICATE_KEY = "Shift+u";
export const MERGE_KEY = "Shift+i";

export function pageActions(app: App, path: string, page: DisplayedPage): Action[] {
  const isOld = page.revision < page.latest;
  const pair = isOld ? { from: page.revision, to: page.latest } : null;
  const history: Action = {
    id: "history",
    label: t("history.label"),
    key: "h",
    icon: History,
    run: async () => void (await app.router.navigate(historyUrl(path, pair))),
  };
  // The root page cannot be moved (docs/spec/wiki.md, Deleting and restoring); and actions apply to the latest
  // revision.
  if (path === "/" || isOld || page.deleted) return [history];
  const subject = { id: page.id, path };
  const isPinned = app.pins.has(page.id);
  return [
    history,
    { id: "pin", label: t(isPinned ? "tree.unpin" : "tree.pin"), key: PIN_KEY, menu: true, icon: isPinned ? PinOff : Pin, run: () => app.pins.toggle(page.id) },
    {
      id: "rename",
      label: t("move.menu"),
      key: "F2",
      menu: true,
      group: 1,
      icon: FolderInput,
      run: () => void (app.dialog = { kind: "rename", page: subject }),
    },
    { id: "duplicate", label: t("duplicate.menu"), key: DUPLICATE_KEY, menu: true, group: 1, icon: CopyPlus, run: () => duplicate(app, subject) },
    { id: "merge", label: t("merge.menu"), key: MERGE_KEY, menu: true, group: 1, icon: Merge, run: () => void (app.dialog = { kind: "merge", page: subject }) },
    { id: "delete", label: t("trash.delete"), key: "Delete", menu: true, group: 3, icon: Trash2, run: () => beginDelete(app, subject) },
  ];
}

async function duplicate(app: App, page: Subject): Promise<void> {
  await (await import("./page-reorganizing")).duplicatePage(app, page);
}
