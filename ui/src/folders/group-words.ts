// What a group of a folder is called.
import { locale, t } from "../i18n";

const DAY = 24 * 60 * 60 * 1_000;

/** `2026-11-20` or `2026-11`, as the reader's calendar says it; today and yesterday by their names. */
export function groupName(key: string | null | undefined, now: Date = new Date()): string {
  if (!key) return t("filter.undated");
  const isMonth = key.length === "2026-11".length;
  const day = Date.parse(isMonth ? `${key}-01T00:00:00Z` : `${key}T00:00:00Z`);
  // What no calendar has stands as the camera has noted it.
  if (Number.isNaN(day)) return key;
  const name = isMonth ? null : nearDay((day - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY);
  if (name !== null) return name;
  const format: Intl.DateTimeFormatOptions = isMonth ? { year: "numeric", month: "long" } : { dateStyle: "full" };
  return new Intl.DateTimeFormat(locale(), { ...format, timeZone: "UTC" }).format(day);
}

function nearDay(days: number): string | null {
  if (days !== 0 && days !== -1) return null;
  const name = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
  return name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
}
