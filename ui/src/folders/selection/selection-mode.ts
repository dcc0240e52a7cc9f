// The effect of a press or a key on the selection, by its modifier keys, as in file managers.
import { isMac } from "../../keys";

export type SelectionMode = "only" | "toggle" | "range" | "add range";

type ModifierKeys = Pick<MouseEvent, "ctrlKey" | "metaKey" | "shiftKey">;

/** True for Ctrl, or Command on a Mac. */
export function holdsMod({ ctrlKey, metaKey }: ModifierKeys, mac: boolean = isMac()): boolean {
  return mac ? metaKey : ctrlKey;
}

export function selectionModeOf(modifiers: ModifierKeys, mac: boolean = isMac()): SelectionMode {
  if (modifiers.shiftKey) return holdsMod(modifiers, mac) ? "add range" : "range";
  return holdsMod(modifiers, mac) ? "toggle" : "only";
}
