// The surrounding dialog's context for its buttons.
import { getContext, setContext } from "svelte";

const KEY = Symbol("dialog");

interface DialogContext {
  /** The handler of Escape. */
  readonly onclose: () => void;
}

export function provideDialog(dialog: DialogContext): void {
  setContext(KEY, dialog);
}

/** undefined outside of dialogs. */
export function enclosingDialog(): DialogContext | undefined {
  return getContext<DialogContext | undefined>(KEY);
}
