// The daily note: today's, and the days around it.
import { hasCode } from "../../../api/errors";
import { withTimeout } from "../../../api/transport/timeout";
import { locale } from "../../../i18n";
import { editUrl, wikiUrl } from "../../../markdown/links/page-path";
import { addDays, type Day, dayOf, dayOfPath, pathOfDay } from "../../../templates";
import type { App } from "../../app.svelte";

/** The maximum wait for the server: the editor itself reports what is at a path. */
const PATIENCE = 2_000;

const patternOf = (app: App): string => app.session.settings.templates.daily_path;

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

/** Opens today's note. */
export function openToday(app: App): Promise<void> {
  return openDay(app, dayOf(new Date()));
}

/** Opens the note some days after the open one, or after today's. */
export function openNeighbour(app: App, days: number): Promise<void> {
  return openDay(app, addDays(openDayOf(app) ?? dayOf(new Date()), days));
}
