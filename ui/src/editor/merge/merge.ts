// Two texts that began as one are put together again, line by line (diff3). What only one of them changed is taken; where
// both changed the same lines otherwise, a person chooses. Nothing is left out on the way.
import { linesOf } from "../doc";
import { matchLines, type Span } from "./match-lines";

export interface Conflict {
  mine: string[];
  theirs: string[];
}

/** Lines that are settled, or a choice. */
export type Part = { lines: string[] } | { conflict: Conflict };

export type Choice = "mine" | "theirs" | "both";

/** `base` is what both texts began as; null where nobody knows it any more: then every difference is a choice. */
export function merge(base: string | null, mine: string, theirs: string): Part[] {
  const [a, b] = [linesOf(mine), linesOf(theirs)];
  const o = base === null ? null : linesOf(base);
  // What all have in common at both ends need not be compared.
  const head = common(a, b, o, (text, at) => text[at]);
  const tail = common(a.slice(head), b.slice(head), o?.slice(head) ?? null, (text, at) => text[text.length - 1 - at]);
  const middle = (text: string[]) => text.slice(head, text.length - tail);
  const parts = o === null ? compare(middle(a), middle(b)) : threeWay(middle(a), middle(o), middle(b));
  return joined([{ lines: a.slice(0, head) }, ...parts, { lines: a.slice(a.length - tail) }]);
}

/** The whole text; `choices` are for the conflicts in their order. */
export function settle(parts: readonly Part[], choices: readonly Choice[]): string {
  let next = 0;
  const settled = parts.flatMap((part) => {
    if ("lines" in part) return part.lines;
    const choice = choices[next++];
    if (choice === undefined) throw new Error("BUG: a conflict has not been decided");
    return chosen(part.conflict, choice);
  });
  return settled.join("\n");
}

/** Both: what is there comes first. */
export function chosen({ mine, theirs }: Conflict, choice: Choice): string[] {
  if (choice === "both") return [...theirs, ...mine];
  return choice === "mine" ? mine : theirs;
}

export function conflictsOf(parts: readonly Part[]): Conflict[] {
  return parts.flatMap((part) => ("conflict" in part ? [part.conflict] : []));
}

/** Walks along what both began as: where only one of them left it, that one is followed. */
function threeWay(mine: string[], base: string[], theirs: string[]): Part[] {
  const [ours, others] = [matchLines(base, mine), matchLines(base, theirs)];
  const parts: Part[] = [];
  let at = 0;
  let [shiftOurs, shiftOthers] = [0, 0];
  while (ours.length > 0 || others.length > 0) {
    const from = Math.min(ours[0]?.from ?? Infinity, others[0]?.from ?? Infinity);
    parts.push({ lines: base.slice(at, from) });
    const [mineSpans, theirSpans] = meeting(from, ours, others);
    at = Math.max(from, ...[...mineSpans, ...theirSpans].map(({ to }) => to));
    const [left, right] = [shiftOurs, shiftOthers];
    shiftOurs += growth(mineSpans);
    shiftOthers += growth(theirSpans);
    const region = { mine: mine.slice(from + left, at + shiftOurs), theirs: theirs.slice(from + right, at + shiftOthers) };
    if (theirSpans.length === 0 || isSame(region.mine, region.theirs)) parts.push({ lines: region.mine });
    else parts.push(mineSpans.length === 0 ? { lines: region.theirs } : { conflict: region });
  }
  return [...parts, { lines: base.slice(at) }];
}

/** Takes the changes that hang together from a line on; those that touch without a line between them do. */
function meeting(from: number, ours: Span[], others: Span[]): [Span[], Span[]] {
  const taken: [Span[], Span[]] = [[], []];
  let end = from;
  for (;;) {
    const side = [ours, others].findIndex((spans) => spans[0] !== undefined && spans[0].from <= end);
    const span = side === 0 ? ours.shift() : side === 1 ? others.shift() : undefined;
    if (span === undefined) return taken;
    taken[side === 0 ? 0 : 1].push(span);
    end = Math.max(end, span.to);
  }
}

/** How many lines more there are than before. */
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

/** How many lines are the same in all of them, counted from one end. */
function common(a: string[], b: string[], o: string[] | null, at: (text: string[], index: number) => string | undefined): number {
  const most = Math.min(a.length, b.length, o?.length ?? Infinity);
  let count = 0;
  while (count < most && at(a, count) === at(b, count) && (o === null || at(a, count) === at(o, count))) count++;
  return count;
}
