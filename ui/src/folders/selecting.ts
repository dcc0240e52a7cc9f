// What a press or a key does to the selection, by the keys that are held with it, as file managers have it.
import { isMac } from "../keys";

export type Selecting = "only" | "toggle" | "range" | "add range";

type Held = Pick<MouseEvent, "ctrlKey" | "metaKey" | "shiftKey">;

/** Ctrl, or Command on a Mac. */
export function holdsMod({ ctrlKey, metaKey }: Held, mac: boolean = isMac()): boolean {
  return mac ? metaKey : ctrlKey;
}

export function selectingBy(held: Held, mac: boolean = isMac()): Selecting {
  if (held.shiftKey) return holdsMod(held, mac) ? "add range" : "range";
  return holdsMod(held, mac) ? "toggle" : "only";
}
