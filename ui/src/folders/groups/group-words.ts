// The name of a group of a folder.
import type { FolderGroup, FolderQuery } from "../../api/backend";
import { dateFormat, locale, relativeFormat, t } from "../../i18n";
import { displayName } from "../entries/display-name";
import { ratingWords } from "../marks/marks";

const SHORT_DAY: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric", weekday: "short" };
const DAY = 24 * 60 * 60 * 1_000;

export function groupName({ key, label }: Pick<FolderGroup, "key" | "label">, by: FolderQuery["group"], { now = new Date(), isShort = false }: { now?: Date; isShort?: boolean } = {}): string {
  if (by === "folder") return folderName(label ?? key ?? "");
  if (by === "camera" || by === "rating") return propertyName(key, by);
  return dateName(key, now, isShort);
}

/** Returns the name of a camera, or a rating in words. Folders have neither. */
function propertyName(key: string | null | undefined, by: "camera" | "rating"): string {
  if (key === null || key === undefined) return t("filter.group_folders");
  return by === "rating" ? ratingWords(Number(key)) : key || t("filter.camera_unknown");
}

/** Returns the path from the current folder. */
function folderName(path: string): string {
  return path === "" ? t("filter.here") : path.split("/").map(displayName).join(" › ");
}

/** Formats `2026-11-20`, `2026-11` or `2026` in the reader's calendar; today and yesterday by their names. */
function dateName(key: string | null | undefined, now: Date, isShort: boolean): string {
  if (!key) return t("filter.undated");
  const isYear = key.length === "2026".length;
  const isMonth = key.length === "2026-11".length;
  const rest = isYear ? "-01-01" : isMonth ? "-01" : "";
  const day = Date.parse(`${key}${rest}T00:00:00Z`);
  // An invalid date is shown as the camera has recorded it.
  if (Number.isNaN(day)) return key;
  const name = isYear || isMonth ? null : relativeDay((day - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY);
  if (name !== null) return name;
  if (isYear) return dateFormat({ year: "numeric", timeZone: "UTC" }).format(day);
  const format: Intl.DateTimeFormatOptions = isMonth ? { year: "numeric", month: "long" } : isShort ? SHORT_DAY : { dateStyle: "full" };
  return dateFormat({ ...format, timeZone: "UTC" }).format(day);
}

function relativeDay(days: number): string | null {
  if (days !== 0 && days !== -1) return null;
  const name = relativeFormat({ numeric: "auto" }).format(days, "day");
  return name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
}
