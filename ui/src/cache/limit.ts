// The cache's limit as a number and a unit.
export const UNITS = { MiB: 2 ** 20, GiB: 2 ** 30 } as const;
export type Unit = keyof typeof UNITS;

/** The server's range: 1 MiB to 1 PiB. */
const MIN_BYTES = 2 ** 20;
const MAX_BYTES = 2 ** 50;

/** Uses GiB if at most two decimals are enough, else MiB. */
export function splitLimit(bytes: number): { value: number; unit: Unit } {
  const isRound = bytes >= UNITS.GiB && Number.isInteger((bytes / UNITS.GiB) * 100);
  const unit = isRound ? "GiB" : "MiB";
  return { value: Math.round((bytes / UNITS[unit]) * 100) / 100, unit };
}

/** null if it is not a valid limit. */
export function limitOf(value: number | null | undefined, unit: Unit): number | null {
  const bytes = Math.round((value ?? Number.NaN) * UNITS[unit]);
  return bytes >= MIN_BYTES && bytes <= MAX_BYTES ? bytes : null;
}
