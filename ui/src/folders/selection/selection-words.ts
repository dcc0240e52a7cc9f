// The texts about the selection: in the status bar, for screen readers, and on failure.
import type { StatusItem, Host } from "../../api/host";
import { formatBytes, sentences, t } from "../../i18n";
import { FolderChangedError } from "../listing/folder-changed-error";
import type { Selection } from "./selection.svelte";

/** Returns null if nothing is selected. */
export function selectionStatus(selection: Selection): StatusItem | null {
  const { count, bytes, isWorking } = selection;
  if (isWorking) return { id: "selected", text: t("folders.selecting"), testId: "folder-selected" };
  if (count === 0) return null;
  const selected = selectionWords(selection);
  const text = bytes === undefined ? selected : `${selected} · ${formatBytes(bytes)}`;
  return { id: "selected", text, testId: "folder-selected" };
}

/** Returns the number of selected entries, named by their kind. */
export function selectionWords({ count, isOfPictures }: Selection): string {
  return t(isOfPictures ? "folders.selected_pictures" : "folders.selected", { count });
}

export function reportSelectionFailure(host: Host): (error: unknown) => void {
  return (error) => {
    const reason = error instanceof FolderChangedError ? t("folders.select_changed") : host.describe(error);
    host.toast(sentences(t("folders.select_failed"), reason), { tone: "bad" });
  };
}
