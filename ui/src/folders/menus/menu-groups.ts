// The groups of actions in the menus of a folder.
import type { Action } from "../../api/host";

/** The groups of the actions on entries; those of other ids are about the folder. */
export const ENTRY_GROUPS: Readonly<Record<string, number>> = {
  "open-with": 0,
  marks: 1,
  dates: 1,
  describe: 1,
  "album-add": 1,
  "album-favourite": 1,
  "album-take-out": 1,
  "rotate-right": 1,
  "rotate-left": 1,
  "flip-across": 1,
  "flip-down": 1,
  uncrop: 1,
  "files-rename": 2,
  "files-move": 2,
  "files-copy": 2,
  "rotate-file": 2,
  "export-pictures": 3,
  "contact-sheet": 3,
  "print-pictures": 3,
  "insert-pictures": 3,
  "copy-gallery": 3,
  "copy-path": 4,
  reveal: 4,
  "files-bin": 5,
};

/** The groups of the actions on the folder that is shown. */
export const FOLDER_GROUPS: Readonly<Record<string, number>> = {
  "folder-new": 1,
  "copy-path": 2,
  reveal: 2,
  "hash-verify-folder": 3,
  "hash-record-folder": 3,
  "files-recent": 4,
  "find-duplicates": 4,
};

/** Actions of folders follow those of entries in a menu of both. */
const AFTER_ENTRIES = 6;

/** Puts the actions of a folder and of its entries into the groups of the menu of both. */
export function grouped(actions: readonly Action[]): Action[] {
  return actions.map((action) => ({ ...action, group: ENTRY_GROUPS[action.id] ?? AFTER_ENTRIES + (FOLDER_GROUPS[action.id] ?? 0) }));
}
