// True while a dialog is open: elements below its backdrop wait.
import { untrack } from "svelte";

let open = $state(0);

export function isDialogOpen(): boolean {
  return open > 0;
}

/** Counts an opened dialog; returns the function to call when it closes. */
export function countDialog(): () => void {
  // The caller's effect must not depend on the number of dialogs.
  const add = (difference: number) => untrack(() => (open += difference));
  add(1);
  return () => add(-1);
}
