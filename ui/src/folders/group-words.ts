// What a group of a folder is called.
import type { FolderGroup, FolderQuery } from "../api/backend";
import { locale, t } from "../i18n";
import { shownName } from "./shown-name";

const DAY = 24 * 60 * 60 * 1_000;

export function groupName({ key }: Pick<FolderGroup, "key">, by: FolderQuery["group"], now: Date = new Date()): string {
  return by === "folder" ? folderName(key ?? "") : dateName(key, now);
}

/** The way from the folder that is shown. */
function folderName(path: string): string {
  return path === "" ? t("filter.here") : path.split("/").map(shownName).join(" › ");
}

/** `2026-11-20` or `2026-11`, as the reader's calendar says it; today and yesterday by their names. */
function dateName(key: string | null | undefined, now: Date): string {
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
