// The keys of the view that select. The grid's own keys are in Grid.svelte.
import type { Shortcut } from "../../api/host";
import { t } from "../../i18n";
import type { Selection } from "./selection.svelte";

// In a text field these keys belong to the text.
const whileTyping = false;

export function selectionShortcuts(selection: Selection): Shortcut[] {
  return [
    { id: "select-all", label: t("folders.select_all"), key: "Mod+a", whileTyping, run: () => selection.all() },
    { id: "select-invert", label: t("folders.select_invert"), key: "Mod+Shift+a", whileTyping, run: () => selection.invert() },
  ];
}

/** Registered while something is selected. */
export function deselectShortcut(selection: Selection): Shortcut {
  return { id: "select-none", label: t("folders.select_none"), key: "Escape", run: () => selection.none() };
}
