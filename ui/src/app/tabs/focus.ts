// The focus in the panes.
import { tick } from "svelte";
import type { Pane } from "../pane.svelte";

/** Returns the focus to the element of a pane that had it last, or gives it to the whole view. */
export function focusPane(pane: Pane): void {
  void tick().then(() => {
    const { focused } = pane;
    const main = document.getElementById("main");
    if (focused?.isConnected && main?.contains(focused)) focused.focus({ preventScroll: true });
    else main?.focus({ preventScroll: true });
  });
}
