// The keys for today's note, and for the days around the open one.
import { t } from "../../../i18n";
import { once } from "../../../view/definition";
import type { App } from "../../app.svelte";

/** The formats of dates are fetched when they are needed. */
export const loadDailyNotes = once(() => import("./daily-notes"));

export function dailyShortcuts(app: App): () => void {
  const step = (days: number) => async () => (await loadDailyNotes()).openNeighbour(app, days);
  const removers = [
    { id: "daily-today", label: t("daily.today"), key: "Shift+d", run: async () => (await loadDailyNotes()).openToday(app) },
    { id: "quick-note", label: t("quick_note.title"), key: "Alt+Shift+n", run: () => void (app.overlay = "quick-note") },
    { id: "daily-before", label: t("daily.before"), key: "Alt+Shift+ArrowLeft", run: step(-1) },
    { id: "daily-after", label: t("daily.after"), key: "Alt+Shift+ArrowRight", run: step(1) },
  ].map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}
