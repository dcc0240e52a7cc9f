// Dates as a user writes and reads them: formats such as YYYY-MM-DD, and the path of a day's note.
import dayjs from "dayjs";
import "dayjs/locale/ja";
import customParseFormat from "dayjs/plugin/customParseFormat";
import isoWeek from "dayjs/plugin/isoWeek";
import type { Locale } from "../i18n";

dayjs.extend(customParseFormat);
dayjs.extend(isoWeek);

/** A local day, "2026-11-29". */
export type Day = string;

export const DAY_FORMAT = "YYYY-MM-DD";
export const TIME_FORMAT = "HH:mm";

const DATE = /\{\{date:([^{}]*)\}\}/g;
/** The letters of a format, longest first; anything else is text. */
const TOKENS = /\[[^\]]*\]|Y{4}|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|A|a|WW?|ww?|Z{1,2}/g;

export function formatDate(time: Date, format: string, locale: Locale): string {
  const date = dayjs(time).locale(locale);
  // dayjs has no letters for the number of the week.
  const week = format.replace(/\[[^\]]*\]|WW?|ww?/g, (part) =>
    part.startsWith("[") ? part : `[${String(date.isoWeek()).padStart(part.length, "0")}]`,
  );
  return date.format(week);
}

export function dayOf(time: Date): Day {
  return dayjs(time).format(DAY_FORMAT);
}

/** Noon, which every local day has. */
export function timeOf(day: Day): Date {
  return dayjs(`${day}T12:00`).toDate();
}

/** The day that is `days` later. */
export function addDays(day: Day, days: number): Day {
  return dayjs(timeOf(day)).add(days, "day").format(DAY_FORMAT);
}

/** The path of a day's note, by the pattern of the settings. */
export function pathOfDay(pattern: string, day: Day, locale: Locale): string {
  return pattern.replace(DATE, (_, format: string) => formatDate(timeOf(day), format, locale));
}

/** The day whose note has a path; null if the path is no such note's. */
export function dayOfPath(pattern: string, path: string, locale: Locale): Day | null {
  const format = pattern
    .split(/(\{\{date:[^{}]*\}\})/)
    .map((part) => (part.startsWith("{{date:") ? quoted(part.slice(7, -2)) : literal(part)))
    .join("");
  const parsed = dayjs(path, format, locale);
  if (!parsed.isValid()) return null;
  const day = parsed.format(DAY_FORMAT);
  return pathOfDay(pattern, day, locale) === path ? day : null;
}

/** Text between the letters of a format, which would stop the parser, is put in brackets. */
function quoted(format: string): string {
  let end = 0;
  let result = "";
  for (const token of format.matchAll(TOKENS)) {
    result += literal(format.slice(end, token.index)) + token[0];
    end = token.index + token[0].length;
  }
  return result + literal(format.slice(end));
}

function literal(text: string): string {
  return text === "" ? "" : `[${text}]`;
}
