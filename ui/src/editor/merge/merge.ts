// A three-way merge by lines (diff3) of two texts with a common base. Changes of one side are taken; if both sides
// changed the same lines differently, the user chooses. No line is lost on the way.
import { linesOf } from "../doc";
import { matchLines, type Span } from "./match-lines";

export interface Conflict {
  mine: string[];
  theirs: string[];
}

/** Settled lines, or a conflict. */
export type Part = { lines: string[] } | { conflict: Conflict };

export type Choice = "mine" | "theirs" | "both";

/** `base` is the common ancestor; null if unknown: then every difference is a conflict. */
export function merge(base: string | null, mine: string, theirs: string): Part[] {
  const [a, b] = [linesOf(mine), linesOf(theirs)];
  const o = base === null ? null : linesOf(base);
  // The common lines at both ends need no comparison.
  const head = common(a, b, o, (text, at) => text[at]);
  const tail = common(a.slice(head), b.slice(head), o?.slice(head) ?? null, (text, at) => text[text.length - 1 - at]);
  const middle = (text: string[]) => text.slice(head, text.length - tail);
  const parts = o === null ? compare(middle(a), middle(b)) : threeWay(middle(a), middle(o), middle(b));
  return joined([{ lines: a.slice(0, head) }, ...parts, { lines: a.slice(a.length - tail) }]);
}

/** The whole text; `choices` settle the conflicts in order. */
export function settle(parts: readonly Part[], choices: readonly Choice[]): string {
  let next = 0;
  const settled = parts.flatMap((part) => {
    if ("lines" in part) return part.lines;
    const choice = choices[next++];
    if (choice === undefined) throw new Error("BUG: a conflict has not been decided");
    return chosenLines(part.conflict, choice);
  });
  return settled.join("\n");
}

/** The lines of a choice; for both sides, theirs come first. */
export function chosenLines({ mine, theirs }: Conflict, choice: Choice): string[] {
  if (choice === "both") return [...theirs, ...mine];
  return choice === "mine" ? mine : theirs;
}

export function conflictsOf(parts: readonly Part[]): Conflict[] {
  return parts.flatMap((part) => ("conflict" in part ? [part.conflict] : []));
}

/** Walks along the common base: if one side differs, that side is taken. */
function threeWay(mine: string[], base: string[], theirs: string[]): Part[] {
  const [ours, others] = [matchLines(base, mine), matchLines(base, theirs)];
  const parts: Part[] = [];
  let at = 0;
  let [shiftOurs, shiftOthers] = [0, 0];
  while (ours.length > 0 || others.length > 0) {
    const from = Math.min(ours[0]?.from ?? Infinity, others[0]?.from ?? Infinity);
    parts.push({ lines: base.slice(at, from) });
    const [mineSpans, theirSpans] = takeOverlapping(from, ours, others);
    at = Math.max(from, ...[...mineSpans, ...theirSpans].map(({ to }) => to));
    const [oursBefore, othersBefore] = [shiftOurs, shiftOthers];
    shiftOurs += growth(mineSpans);
    shiftOthers += growth(theirSpans);
    const region = { mine: mine.slice(from + oursBefore, at + shiftOurs), theirs: theirs.slice(from + othersBefore, at + shiftOthers) };
    if (theirSpans.length === 0 || isSame(region.mine, region.theirs)) parts.push({ lines: region.mine });
    else parts.push(mineSpans.length === 0 ? { lines: region.theirs } : { conflict: region });
  }
  return [...parts, { lines: base.slice(at) }];
}

/** Collects overlapping changes from a line on; changes that touch without a line between them overlap. */
function takeOverlapping(from: number, ours: Span[], others: Span[]): [Span[], Span[]] {
  const group: [Span[], Span[]] = [[], []];
  let end = from;
  for (;;) {
    const side = [ours, others].findIndex((spans) => spans[0] !== undefined && spans[0].from <= end);
    const span = side === 0 ? ours.shift() : side === 1 ? others.shift() : undefined;
    if (span === undefined) return group;
    group[side === 0 ? 0 : 1].push(span);
    end = Math.max(end, span.to);
  }
}

/** The number of added lines, less the removed ones. */
function growth(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to, otherFrom, otherTo }) => sum + (otherTo - otherFrom) - (to - from), 0);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

function compare(mine: string[], theirs: string[]): Part[] {
  let at = 0;
  const parts = matchLines(mine, theirs).flatMap(({ from, to, otherFrom, otherTo }): Part[] => {
    const same = { lines: mine.slice(at, from) };
    at = to;
    return [same, { conflict: { mine: mine.slice(from, to), theirs: theirs.slice(otherFrom, otherTo) } }];
  });
  return [...parts, { lines: mine.slice(at) }];
}

function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if ("lines" in part && last !== undefined && "lines" in last) last.lines = [...last.lines, ...part.lines];
    else if (!("lines" in part) || part.lines.length > 0) whole.push({ ...part });
  }
  return whole;
}

/** The number of equal lines in all texts, counted from one end. */
function common(a: string[], b: string[], o: string[] | null, at: (text: string[], index: number) => string | undefined): number {
  const most = Math.min(a.length, b.length, o?.length ?? Infinity);
  let count = 0;
  while (count < most && at(a, count) === at(b, count) && (o === null || at(a, count) === at(o, count))) count++;
  return count;
}
