// The daily note: today's, and the days around it; and the templates of a page.
import { hasCode } from "../../api/errors";
import { withTimeout } from "../../api/timeout";
import { locale, t } from "../../i18n";
import { editUrl, wikiUrl } from "../../markdown/links/page-path";
import { addDays, type Day, dayOf, dayOfPath, pathOfDay, TemplateBook, templatesOf } from "../../templates";
import type { App } from "../app.svelte";

/** The maximum wait for the server: the editor itself reports what is at a path. */
const PATIENCE = 2_000;

const patternOf = (app: App): string => app.session.settings.templates.daily_path;

export function templateBook(app: App, path: string): TemplateBook {
  const { backend, session, pages } = app;
  return new TemplateBook({
    backend,
    path,
    settings: session.settings.templates,
    user: session.user?.name ?? "",
    locale: locale(),
    list: () => templatesOf(pages.items, new Intl.Collator(locale(), { numeric: true })),
  });
}

export function dailyPath(app: App, day: Day): string {
  return pathOfDay(patternOf(app), day, locale());
}

/** The day whose note is open; null if another page is. */
export function openDayOf(app: App): Day | null {
  const { place } = app.router.route;
  return "path" in place && typeof place.path === "string" ? dayOfPath(patternOf(app), place.path, locale()) : null;
}

/** Opens a day's note: to read it, or to write it if there is none. */
export async function openDay(app: App, day: Day): Promise<void> {
  const path = dailyPath(app, day);
  const isThere = await withTimeout(PATIENCE, exists(app, path));
  await app.router.navigate(isThere === true ? wikiUrl(path) : editUrl(path));
}

async function exists(app: App, path: string): Promise<boolean> {
  try {
    await app.backend.pages.resolve(path);
    return true;
  } catch (error) {
    if (hasCode(error, "page_not_found", "draft")) return false;
    throw error;
  }
}

/** The keys for today's note, and for the days around the open one. */
export function dailyShortcuts(app: App): () => void {
  const step = (days: number) => () => openDay(app, addDays(openDayOf(app) ?? dayOf(new Date()), days));
  const removers = [
    { id: "daily-today", label: t("daily.today"), key: "Shift+d", run: () => openDay(app, dayOf(new Date())) },
    { id: "daily-before", label: t("daily.before"), key: "Alt+Shift+ArrowLeft", whileTyping: false, run: step(-1) },
    { id: "daily-after", label: t("daily.after"), key: "Alt+Shift+ArrowRight", whileTyping: false, run: step(1) },
  ].map((shortcut) => app.shortcuts.register(shortcut, "everywhere"));
  return () => {
    for (const remove of removers) remove();
  };
}
