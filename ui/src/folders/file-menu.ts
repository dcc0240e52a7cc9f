// What can be done with the files that one means: behind the button for more, and by keys.
import Clipboard from "@lucide/svelte/icons/copy";
import FileInput from "@lucide/svelte/icons/file-input";
import FolderInput from "@lucide/svelte/icons/folder-input";
import History from "@lucide/svelte/icons/history";
import Images from "@lucide/svelte/icons/images";
import PenLine from "@lucide/svelte/icons/pen-line";
import Trash2 from "@lucide/svelte/icons/trash-2";
import type { Action } from "../api/host";
import { t } from "../i18n";
import type { FileActions } from "./file-actions.svelte";

export const RENAME_KEY = "F2";
export const MOVE_KEY = "Shift+m";
export const COPY_KEY = "Shift+c";
export const BIN_KEY = "Delete";
export const INSERT_KEY = "Shift+p";
export const GALLERY_KEY = "Shift+g";
export const RECENT_KEY = "Shift+z";

interface Ways {
  /** Puts into the bin what one means, and goes on. */
  bin: () => Promise<void>;
  /** Whether a picture is shown large. */
  isLarge: boolean;
}

export function fileMenu(actions: FileActions, { bin, isLarge }: Ways): Action[] {
  const menu = true;
  const recent = { id: "files-recent", menu, icon: History, run: () => actions.showRecent() };
  return [
    { id: "files-rename", label: t("files.rename"), key: RENAME_KEY, menu, icon: PenLine, run: () => actions.askName() },
    { id: "files-move", label: t("files.move"), key: MOVE_KEY, menu, icon: FolderInput, run: () => actions.askTarget("move") },
    { id: "files-copy", label: t("files.copy"), key: COPY_KEY, menu, icon: Clipboard, run: () => actions.askTarget("copy") },
    { id: "files-bin", label: t("files.bin"), key: BIN_KEY, menu, icon: Trash2, run: bin },
    { id: "insert-pictures", label: t("insert.menu"), key: INSERT_KEY, menu, icon: FileInput, run: () => actions.askPage() },
    { id: "copy-gallery", label: t("insert.gallery"), key: GALLERY_KEY, menu, icon: Images, run: () => actions.copyGallery() },
    // Of a large picture, the key shows all.
    isLarge ? { ...recent, label: t("files.recent") } : { ...recent, label: t("files.recent"), key: RECENT_KEY },
  ];
}
