// Whether a dialog is open: what would lie beneath its veil waits.
import { untrack } from "svelte";

let open = $state(0);

export function isDialogOpen(): boolean {
  return open > 0;
}

/** For a dialog that opens; returns what to call when it closes. */
export function countDialog(): () => void {
  // Whoever opens it shall not depend on how many others there are.
  const add = (difference: number) => untrack(() => (open += difference));
  add(1);
  return () => add(-1);
}
