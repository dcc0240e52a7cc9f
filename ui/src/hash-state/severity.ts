// The states of files and records in the order of their severity, and the tone of each.
import type { HashState } from "../api/hashes";

export type StateTone = "good" | "warn" | "bad" | "plain";

/** The gravest first: what has to be decided, what could not be told, what is only to be known. */
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

/** All states, the gravest first. */
export const BY_SEVERITY = Object.keys(TONES) as readonly HashState[];

/** The states in which a person has to decide: to accept the file as it is, or to restore it. */
const TO_DECIDE: readonly HashState[] = ["changed", "corrupt", "altered", "differs", "missing", "racy"];

export function isToDecide(state: HashState | null): boolean {
  return state !== null && TO_DECIDE.includes(state);
}

export function toneOf(state: HashState): StateTone {
  return TONES[state];
}

/** The states that are worth a warning, with the number of files in each, the gravest first. */
export function troublesOf(summary: Partial<Record<HashState, number>>): { state: HashState; count: number }[] {
  const found = BY_SEVERITY.map((state) => ({ state, count: summary[state] ?? 0 }));
  return found.filter(({ state, count }) => count > 0 && (TONES[state] === "bad" || TONES[state] === "warn"));
}
