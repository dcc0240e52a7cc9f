// Formats numbers, sizes and times in the current language.
import { locale, NO_BREAK_SPACE } from "./i18n.svelte";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
// `Intl` only has decimal units, and all limits are powers of two.
const BYTE_UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** Returns a source of formatters in the current language. They are expensive to create, and are kept. */
function formatters<Options, Formatter>(create: new (language: string, options: Options) => Formatter): (options: Options) => Formatter {
  const kept = new Map<string, Formatter>();
  return (options) => {
    // A formatter keeps the time zone in which it was created, and a laptop travels.
    const key = [locale(), new Date().getTimezoneOffset(), JSON.stringify(options)].join(" ");
    const formatter = kept.get(key) ?? new create(locale(), options);
    kept.set(key, formatter);
    return formatter;
  };
}

export const dateFormat = formatters<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat);
export const numberFormat = formatters<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat);
export const relativeFormat = formatters<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(Intl.RelativeTimeFormat);

export function formatNumber(value: number): string {
  return numberFormat({}).format(value);
}

/** Formats a fraction as a percentage: 0.37 is "37%". */
export function formatPercent(part: number): string {
  return numberFormat({ style: "percent", maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part);
}

/** Formats a file size to three significant digits, without a line break: "27.1 MiB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) {
    const size = numberFormat({ style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
    return size.replaceAll(" ", NO_BREAK_SPACE);
  }
  let step = 0;
  let size = bytes / 1024;
  while (Math.round(size) >= 1024 && step < BYTE_UNITS.length - 1) {
    size /= 1024;
    step += 1;
  }
  const number = numberFormat(size < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }).format(size);
  return `${number}${NO_BREAK_SPACE}${BYTE_UNITS[step] ?? ""}`;
}

/** Formats a date with its time, such as "14 Nov 2026, 08:12". */
export function formatDateTime(time: string | Date): string {
  const text = dateFormat({ dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
  // Only digits: a line break would make them look like two values.
  return locale() === "ja" ? text.replace(" ", NO_BREAK_SPACE) : text;
}

export function formatDate(time: string | Date): string {
  return dateFormat({ dateStyle: "medium" }).format(new Date(time));
}

/** Formats a calendar day (`2026-11-20`), independent of the time zone. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

export function formatTime(time: string | Date): string {
  return dateFormat({ timeStyle: "short" }).format(new Date(time));
}

/** Formats a relative time, such as "2 minutes ago" or "yesterday"; beyond a week, the date. */
export function formatAgo(time: string | Date, now: Date = new Date()): string {
  const then = new Date(time);
  const seconds = (then.getTime() - now.getTime()) / 1000;
  const relative = relativeFormat({ numeric: "auto", style: "short" });
  const age = Math.abs(seconds);
  // `Intl` returns 今 ("now"), which can't describe a past event.
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

/** Formats the camera's own time, which has no zone. */
export function formatCameraTime(time: string): string {
  return dateFormat({ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(new Date(`${time}Z`));
}
