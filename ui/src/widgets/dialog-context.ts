// What the buttons of a dialog know of it.
import { getContext, setContext } from "svelte";

const KEY = Symbol("dialog");

interface DialogContext {
  /** What Escape does. */
  readonly onclose: () => void;
}

export function provideDialog(dialog: DialogContext): void {
  setContext(KEY, dialog);
}

/** undefined outside of dialogs. */
export function dialogAround(): DialogContext | undefined {
  return getContext<DialogContext | undefined>(KEY);
}
