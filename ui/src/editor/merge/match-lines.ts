// A diff of two texts by lines. The work is CodeMirror's: bounded, however long and however different the texts are.
import { diff } from "@codemirror/merge";

/** Lines `from` to `to` of the first text became `otherFrom` to `otherTo` of the other. */
export interface Span {
  from: number;
  to: number;
  otherFrom: number;
  otherTo: number;
}

const TIMEOUT_MS = 1_000;
/** The characters that are surrogates. */
const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const MAX_LINES = 0x10000 - SURROGATES.count;

/** Returns the spans in order, without overlaps. */
export function matchLines(one: readonly string[], other: readonly string[]): Span[] {
  const indices = new Map<string, number>();
  for (const line of [...one, ...other]) if (!indices.has(line)) indices.set(line, indices.size);
  // More different lines than there are characters: treated as entirely different.
  if (indices.size > MAX_LINES) return [{ from: 0, to: one.length, otherFrom: 0, otherTo: other.length }];
  // Each different line becomes one character, so that a string is as long as its text has lines.
  const letters = (lines: readonly string[]) => lines.map((line) => letter(indices.get(line) ?? 0)).join("");
  return diff(letters(one), letters(other), { scanLimit: 5_000, timeout: TIMEOUT_MS }).map(
    ({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, otherFrom: fromB, otherTo: toB }),
  );
}

function letter(number: number): string {
  return String.fromCharCode(number < SURROGATES.first ? number : number + SURROGATES.count);
}
