// The actions for the files that the user means: in the menu, and by keys.
import ClipboardCopy from "@lucide/svelte/icons/clipboard-copy";
import Clipboard from "@lucide/svelte/icons/copy";
import ExternalLink from "@lucide/svelte/icons/external-link";
import LayoutGrid from "@lucide/svelte/icons/layout-grid";
import FileInput from "@lucide/svelte/icons/file-input";
import FolderInput from "@lucide/svelte/icons/folder-input";
import FolderPlus from "@lucide/svelte/icons/folder-plus";
import FolderSearch from "@lucide/svelte/icons/folder-search";
import History from "@lucide/svelte/icons/history";
import Images from "@lucide/svelte/icons/images";
import ImageDown from "@lucide/svelte/icons/image-down";
import PenLine from "@lucide/svelte/icons/pen-line";
import Printer from "@lucide/svelte/icons/printer";
import RotateCwSquare from "@lucide/svelte/icons/rotate-cw-square";
import Trash2 from "@lucide/svelte/icons/trash-2";
import type { Action } from "../../api/host";
import { t } from "../../i18n";
import type { NamedFolder } from "../entries/folder-place";
import type { FileActions } from "./file-actions.svelte";
import type { ExternalActions } from "./external-actions";

export const NEW_FOLDER_KEY = "Mod+Shift+n";
export const RENAME_KEY = "F2";
export const MOVE_KEY = "Shift+m";
export const COPY_KEY = "Shift+c";
export const TRASH_KEY = "Delete";
export const EXPORT_KEY = "Shift+x";
export const PRINT_KEY = "Mod+p";
export const SHEET_KEY = "Shift+i";
export const ROTATE_KEY = "Shift+q";
export const INSERT_KEY = "Shift+p";
export const GALLERY_KEY = "Shift+g";
export const RECENT_KEY = "Shift+z";

export const PATH_KEY = "Shift+d";
export const REVEAL_KEY = "Shift+e";
export const OPEN_KEY = "Shift+w";

interface FileMenuOptions {
  /** Moves those files to the trash, and continues. */
  moveToTrash: () => Promise<void>;
  /** True if the keys of zooming are active: in the viewer and in a comparison. */
  canZoom: boolean;
}

/** Returns the actions that involve other programs. */
export function externalMenu(outward: ExternalActions): Action[] {
  const menu = true;
  const path = { id: "copy-path", label: t("outward.path"), key: PATH_KEY, menu, icon: ClipboardCopy, run: outward.copyPath };
  if (!outward.isInWindow) return [path];
  return [
    path,
    { id: "reveal", label: t("outward.reveal"), key: REVEAL_KEY, menu, icon: FolderSearch, run: outward.reveal },
    { id: "open-with", label: t("outward.open"), key: OPEN_KEY, menu, icon: ExternalLink, run: outward.open },
  ];
}

/** Returns the actions that make something of pictures: other files, a contact sheet, or prints. */
export function outputMenu(actions: FileActions): Action[] {
  const menu = true;
  return [
    { id: "export-pictures", label: t("export.menu"), key: EXPORT_KEY, menu, icon: ImageDown, run: () => actions.openExportDialog() },
    { id: "contact-sheet", label: t("sheet.menu"), key: SHEET_KEY, menu, icon: LayoutGrid, run: () => actions.openSheetDialog() },
    { id: "print-pictures", label: t("print.menu"), key: PRINT_KEY, menu, icon: Printer, run: () => actions.openPrintDialog() },
  ];
}

/** Returns the action that creates a folder in another one. */
export function newFolderMenu(actions: FileActions, parent: () => NamedFolder): Action[] {
  return [{ id: "folder-new", label: t("files.target_new"), key: NEW_FOLDER_KEY, menu: true, icon: FolderPlus, run: () => actions.openNewFolderDialog(parent()) }];
}

export function fileMenu(actions: FileActions, { moveToTrash, canZoom }: FileMenuOptions): Action[] {
  const menu = true;
  const recent = { id: "files-recent", menu, icon: History, run: () => actions.openRecentDialog() };
  return [
    { id: "files-rename", label: t("files.rename"), key: RENAME_KEY, menu, icon: PenLine, run: () => actions.openRenameDialog() },
    { id: "files-move", label: t("files.move"), key: MOVE_KEY, menu, icon: FolderInput, run: () => actions.openTargetDialog("move") },
    { id: "files-copy", label: t("files.copy"), key: COPY_KEY, menu, icon: Clipboard, run: () => actions.openTargetDialog("copy") },
    { id: "files-bin", label: t("files.bin"), key: TRASH_KEY, menu, icon: Trash2, run: moveToTrash },
    ...outputMenu(actions),
    { id: "rotate-file", label: t("rotation.menu"), key: ROTATE_KEY, menu, icon: RotateCwSquare, run: () => actions.openRotateDialog() },
    { id: "insert-pictures", label: t("insert.menu"), key: INSERT_KEY, menu, icon: FileInput, run: () => actions.openPageDialog() },
    { id: "copy-gallery", label: t("insert.gallery"), key: GALLERY_KEY, menu, icon: Images, run: () => actions.copyGallery() },
    // There the key shows the whole picture.
    canZoom ? { ...recent, label: t("files.recent") } : { ...recent, label: t("files.recent"), key: RECENT_KEY },
  ];
}
