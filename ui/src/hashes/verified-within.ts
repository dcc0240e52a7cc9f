// In how many days all records have been verified.

const DAY = 24 * 60 * 60 * 1000;

/** The days since the longest-unverified record was verified, at least 1; null if one never was. */
export function verifiedWithinDays(oldest: string | null, now: Date): number | null {
  if (oldest === null) return null;
  return Math.max(1, Math.ceil((now.getTime() - new Date(oldest).getTime()) / DAY));
}
