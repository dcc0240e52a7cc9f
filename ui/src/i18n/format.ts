// Numbers, sizes and times as the current language writes them.
import { locale, NO_BREAK_SPACE } from "./i18n.svelte";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
// `Intl` has names for thousands only, and every limit is a power of two.
const BYTE_UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale()).format(value);
}

/** "37%", as the language writes it; 1 is all. */
export function formatPercent(part: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part);
}

/** A file's size, rounded to three digits where it is no whole number, on one line: "27.1 MiB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) {
    const size = new Intl.NumberFormat(locale(), { style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
    return size.replaceAll(" ", NO_BREAK_SPACE);
  }
  let step = 0;
  let size = bytes / 1024;
  while (Math.round(size) >= 1024 && step < BYTE_UNITS.length - 1) {
    size /= 1024;
    step += 1;
  }
  const number = new Intl.NumberFormat(locale(), size < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }).format(size);
  return `${number}${NO_BREAK_SPACE}${BYTE_UNITS[step] ?? ""}`;
}

/** "14 Nov 2026, 08:12" in the reader's own manner. */
export function formatDateTime(time: string | Date): string {
  const said = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
  // Figures alone, of which a line's end would make two things.
  return locale() === "ja" ? said.replace(" ", NO_BREAK_SPACE) : said;
}

export function formatDate(time: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(time));
}

/** A day as a calendar has it, `2026-11-20`, wherever one is. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

export function formatTime(time: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(new Date(time));
}

/** "2 minutes ago", "yesterday"; beyond a week the date itself. */
export function formatAgo(time: string | Date, now: Date = new Date()): string {
  const then = new Date(time);
  const seconds = (then.getTime() - now.getTime()) / 1000;
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  const age = Math.abs(seconds);
  // What Japanese has for it there, 今, names no time at which something was done.
  if (age < MINUTE) return locale() === "ja" ? "たった今" : relative.format(0, "second");
  if (age < HOUR) return relative.format(Math.trunc(seconds / MINUTE), "minute");
  const days = Math.round((startOfDay(then) - startOfDay(now)) / (DAY * 1000));
  if (days === 0) return relative.format(Math.trunc(seconds / HOUR), "hour");
  if (Math.abs(days) < 7) return relative.format(days, "day");
  return formatDate(then);
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
}
