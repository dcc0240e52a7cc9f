// Numbers, sizes and times as the current language writes them.
import { locale } from "./i18n.svelte";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NO_BREAK_SPACE = "\u00a0";
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale()).format(value);
}

/** A file's size with at most three significant digits, on one line: "28.4 MB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const size = new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: BYTE_UNITS[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumSignificantDigits: 3,
  }).format(bytes / 1000 ** step);
  return size.replaceAll(" ", NO_BREAK_SPACE);
}

/** "14 Nov 2026, 08:12" in the reader's own manner. */
export function formatDateTime(time: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

export function formatDate(time: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(time));
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
  if (age < MINUTE) return relative.format(0, "second");
  if (age < HOUR) return relative.format(Math.trunc(seconds / MINUTE), "minute");
  const days = Math.round((startOfDay(then) - startOfDay(now)) / (DAY * 1000));
  if (days === 0) return relative.format(Math.trunc(seconds / HOUR), "hour");
  if (Math.abs(days) < 7) return relative.format(days, "day");
  return formatDate(then);
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
}
