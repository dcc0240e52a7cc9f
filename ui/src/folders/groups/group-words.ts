// The name of a group of a folder.
import type { FolderGroup, FolderQuery } from "../../api/backend";
import { dateFormat, locale, relativeFormat, t } from "../../i18n";
import { displayName } from "../entries/display-name";

const DAY = 24 * 60 * 60 * 1_000;

export function groupName({ key }: Pick<FolderGroup, "key">, by: FolderQuery["group"], now: Date = new Date()): string {
  return by === "folder" ? folderName(key ?? "") : dateName(key, now);
}

/** Returns the path from the current folder. */
function folderName(path: string): string {
  return path === "" ? t("filter.here") : path.split("/").map(displayName).join(" › ");
}

/** Formats `2026-11-20` or `2026-11` in the reader's calendar; today and yesterday by their names. */
function dateName(key: string | null | undefined, now: Date): string {
  if (!key) return t("filter.undated");
  const isMonth = key.length === "2026-11".length;
  const day = Date.parse(isMonth ? `${key}-01T00:00:00Z` : `${key}T00:00:00Z`);
  // An invalid date is shown as the camera has recorded it.
  if (Number.isNaN(day)) return key;
  const name = isMonth ? null : relativeDay((day - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY);
  if (name !== null) return name;
  const format: Intl.DateTimeFormatOptions = isMonth ? { year: "numeric", month: "long" } : { dateStyle: "full" };
  return dateFormat({ ...format, timeZone: "UTC" }).format(day);
}

function relativeDay(days: number): string | null {
  if (days !== 0 && days !== -1) return null;
  const name = relativeFormat({ numeric: "auto" }).format(days, "day");
  return name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
}
