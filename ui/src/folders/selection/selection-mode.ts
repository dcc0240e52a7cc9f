// The effect of a press or a key on the selection, by its modifier keys, as in file managers.
import { isMac } from "../../keys";

export type SelectionMode = "only" | "toggle" | "range" | "add range";

type Held = Pick<MouseEvent, "ctrlKey" | "metaKey" | "shiftKey">;

/** True for Ctrl, or Command on a Mac. */
export function holdsMod({ ctrlKey, metaKey }: Held, mac: boolean = isMac()): boolean {
  return mac ? metaKey : ctrlKey;
}

export function selectionModeOf(held: Held, mac: boolean = isMac()): SelectionMode {
  if (held.shiftKey) return holdsMod(held, mac) ? "add range" : "range";
  return holdsMod(held, mac) ? "toggle" : "only";
}
