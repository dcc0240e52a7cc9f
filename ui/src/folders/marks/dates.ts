// The times of capture of pictures, by the clock of their place: `2026-11-20T09:30:00`, without a time zone.
import type { FolderEntry, MarksChange } from "../../api/backend";

export type Dated = Pick<FolderEntry, "taken" | "taken_in_sidecar" | "taken_in_file">;

const SECOND = 1_000;
const TYPED = /^(\d{4})[-/.:年](\d{1,2})[-/.:月](\d{1,2})日?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Returns the date that the sidecar of a picture states. */
export function statedDate({ taken, taken_in_sidecar }: Dated): string | null {
  return (taken_in_sidecar ? taken : null) ?? null;
}

function dateInFile({ taken, taken_in_sidecar, taken_in_file }: Dated): string | null {
  return (taken_in_sidecar ? taken_in_file : taken) ?? null;
}

/** Returns an entry with the date that its sidecar states, or else with that of its file. */
export function withDate<E extends Dated>(entry: E, stated: string | null): E {
  const own = dateInFile(entry);
  if (stated === null && !entry.taken_in_sidecar) return entry;
  return { ...entry, taken: stated ?? own, taken_in_sidecar: stated === null ? null : true, taken_in_file: stated === null ? null : own };
}

/** Returns an entry with its date after a change. */
export function applyDate<E extends Dated>(entry: E, { taken, shift }: MarksChange): E {
  if (taken !== undefined) return withDate(entry, taken || null);
  if (!shift || !entry.taken) return entry;
  const after = shifted(entry.taken, shift);
  return withDate(entry, after === dateInFile(entry) ? null : after);
}

/** Returns the change that reverts that of a date; empty if it changes nothing. */
export function inverseDate(before: Dated, { taken, shift }: MarksChange): Pick<MarksChange, "taken" | "shift"> {
  const stated = statedDate(before);
  if (taken !== undefined) return (taken || null) === stated ? {} : { taken: stated ?? "" };
  return shift && before.taken ? { shift: -shift } : {};
}

/** Moves a date by seconds. */
export function shifted(taken: string, seconds: number): string {
  const [whole = "", fraction] = taken.split(".");
  const moved = new Date(Date.parse(`${whole}Z`) + seconds * SECOND);
  // A date that can't be read, or beyond the calendar, stays.
  if (Number.isNaN(moved.getTime()) || moved.getUTCFullYear() > 9999 || moved.getUTCFullYear() < 0) return taken;
  const text = moved.toISOString().slice(0, "2026-11-20T09:30:00".length);
  return fraction === undefined ? text : `${text}.${fraction}`;
}

/** Returns the number of whole seconds from one date to another. */
export function secondsBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to.split(".")[0]}Z`) - Date.parse(`${from.split(".")[0]}Z`)) / SECOND);
}

/** Reads a typed date, as it is shown or with other separators, without or with a time; null if there is no such date. */
export function typedDate(text: string): string | null {
  const parts = TYPED.exec(text.normalize("NFKC").trim());
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && hours < 24 && minutes < 60 && seconds < 60 ? date.toISOString().slice(0, "2026-11-20T09:30:00".length) : null;
}

/** Returns a date as it is typed: `2026-11-20 09:30:00`. */
export function dateText(taken: string): string {
  return taken.replace("T", " ").replace(/\..*/, "");
}

/** Returns the dated entry of the earliest date. */
export function earliest(entries: readonly FolderEntry[]): (FolderEntry & { taken: string }) | null {
  const dated = entries.filter((entry): entry is FolderEntry & { taken: string } => Boolean(entry.taken));
  return dated.length === 0 ? null : dated.reduce((first, entry) => (entry.taken < first.taken ? entry : first));
}
