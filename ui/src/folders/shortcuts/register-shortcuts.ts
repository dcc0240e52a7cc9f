// Shortcuts that come and go together.
import type { Host, Shortcut } from "../../api/host";

/** Registers shortcuts. Returns a function that removes them. */
export function registerShortcuts(host: Pick<Host, "registerShortcut">, shortcuts: readonly Shortcut[]): () => void {
  const removers = shortcuts.map((shortcut) => host.registerShortcut(shortcut));
  return () => {
    for (const remove of removers) remove();
  };
}
