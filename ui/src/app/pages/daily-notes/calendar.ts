// The days of a month, in weeks.
import { addDays, type Day, timeOf } from "../../../templates";

/** A month, "2026-11". */
export type Month = string;

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function addMonths(month: Month, months: number): Month {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const index = year * 12 + number - 1 + months;
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** Six weeks, so that every month is as high: those that contain the month. `firstDay` is 1 for Monday to 7 for Sunday. */
export function weeksOf(month: Month, firstDay: number): Day[][] {
  const first: Day = `${month}-01`;
  const lead = (timeOf(first).getDay() - firstDay + 7) % 7;
  const days = Array.from({ length: 6 * 7 }, (_, index) => addDays(first, index - lead));
  return Array.from({ length: 6 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

interface WeekInfo {
  firstDay: number;
}

/** The first day of a week where the user lives: 1 for Monday to 7 for Sunday. */
export function firstDayOfWeek(language: string): number {
  // Engines differ in the form.
  const locale = new Intl.Locale(language) as Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 7;
}
