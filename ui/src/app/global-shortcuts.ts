// The keys that work in every room.
import { t } from "../i18n";
import type { App } from "./app.svelte";
import { SETTINGS_ADDRESS } from "./routes";

interface Toggles {
  toggleSide: () => void;
  toggleRight: () => void;
}

/** Registers them; returns how to take them back. Read inside an effect, the labels follow the language. */
export function globalShortcuts(app: App, { toggleSide, toggleRight }: Toggles): () => void {
  const go = (address: string) => async () => {
    await app.router.navigate(address);
  };
  const removers = [
    { id: "palette", label: t("keys.palette"), key: "Mod+k", palette: false, run: () => void (app.overlay = "palette") },
    { id: "palette-too", label: t("keys.palette"), key: "Mod+p", palette: false, run: () => void (app.overlay = "palette") },
    { id: "new-page", label: t("tree.new_page"), key: "n", run: () => void (app.overlay = "new-page") },
    { id: "toggle-side", label: t("side.toggle"), key: "Mod+b", run: toggleSide },
    { id: "toggle-right", label: t("right.toggle"), key: "Mod+i", run: toggleRight },
    { id: "go-wiki", label: t("keys.go_wiki"), key: "Alt+1", run: go("/wiki/") },
    { id: "go-pictures", label: t("keys.go_pictures"), key: "Alt+2", run: go("/pictures/") },
    { id: "go-settings", label: t("keys.go_settings"), key: "Mod+,", run: go(SETTINGS_ADDRESS) },
    { id: "keys", label: t("keys.show"), key: "?", run: () => void (app.overlay = "keys") },
  ].map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}
