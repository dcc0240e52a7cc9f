// The sentence about all records: the number of days within which they were verified, unless some are not as recorded.
import type { HashState } from "../../api/hashes";
import { t } from "../../i18n";

const DAY = 24 * 60 * 60 * 1000;

/** The states of files that are as recorded, and of records that only differ in their names. */
const SOUND: readonly string[] = ["ok", "touched", "new", "legacy", "foreign", "unknown"];

/** Returns the number of records that the last verification did not find as recorded, or that are unreadable. */
export function countUnsound(states: Partial<Record<HashState | "unknown", number>>): number {
  const unsound = Object.entries(states).filter(([state]) => !SOUND.includes(state));
  return unsound.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * Returns the sentence. `oldest` is the verification time of the least recently verified record; null if one never was.
 */
export function verifiedWords(oldest: string | null, unsound: number, now: Date): string {
  if (unsound > 0) return t("hashes.not_as_recorded", { count: unsound });
  if (oldest === null) return t("hashes.verified_partly");
  const days = Math.max(1, Math.ceil((now.getTime() - new Date(oldest).getTime()) / DAY));
  return days === 1 ? t("hashes.verified_today") : t("hashes.verified_within", { count: days });
}
