// The states of files and records by severity, and the tone of each.
import type { HashState } from "../api/hashes";

export type StateTone = "good" | "warn" | "bad" | "plain";

/**
 * The states in descending severity: those that need a decision, those that could not be determined, then those that
 * are only informative.
 */
const TONES = {
  corrupt: "bad",
  altered: "bad",
  differs: "bad",
  changed: "warn",
  missing: "bad",
  racy: "warn",
  unreadable: "warn",
  collision: "bad",
  malformed: "warn",
  moved: "plain",
  root_away: "plain",
  touched: "plain",
  new: "plain",
  orphan: "plain",
  legacy: "plain",
  foreign: "plain",
  ok: "good",
} as const satisfies Record<HashState, StateTone>;

/** All states, in descending severity. */
export const BY_SEVERITY = Object.keys(TONES) as readonly HashState[];

/** The states that need a decision of the user: accept the file as it is, or restore it. */
const TO_DECIDE: readonly HashState[] = ["changed", "corrupt", "altered", "differs", "missing", "racy"];

export function needsDecision(state: HashState | null): boolean {
  return state !== null && TO_DECIDE.includes(state);
}

export function toneOf(state: HashState): StateTone {
  return TONES[state];
}

/** Returns the states that are worth a warning, with the number of files in each, in descending severity. */
export function troublesOf(summary: Partial<Record<HashState, number>>): { state: HashState; count: number }[] {
  const counts = BY_SEVERITY.map((state) => ({ state, count: summary[state] ?? 0 }));
  return counts.filter(({ state, count }) => count > 0 && (TONES[state] === "bad" || TONES[state] === "warn"));
}
