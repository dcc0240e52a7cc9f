// Fuzzy search of commands: folding, ranking, and the matched letters. Pages are searched by the server, which has all
// of their names.
import type { MatchSpan } from "../../api/backend";
import { fold } from "../../i18n/fold";

export interface Candidate {
  /** The visible name. */
  label: string;
}

export interface Match<T> {
  candidate: T;
  /** The label in pieces. */
  spans: MatchSpan[];
}

interface Letter {
  /** Folded. */
  text: string;
  /** The index of the label's grapheme that it comes from. */
  from: number;
  beginsWord: boolean;
}

/** Returns the best matches in order; equal ones keep their order. */
export function find<T extends Candidate>(query: string, candidates: readonly T[], limit: number): Match<T>[] {
  const wanted = [...fold(query.trim())].filter((char) => char !== " ");
  if (wanted.length === 0) {
    return candidates.slice(0, limit).map((candidate) => ({ candidate, spans: [{ text: candidate.label, matched: false }] }));
  }
  return candidates
    .flatMap((candidate) => {
      const graphemes = split(candidate.label);
      const match = matchLetters(wanted, lettersOf(graphemes));
      return match === null ? [] : [{ found: { candidate, spans: spansOf(graphemes, match.from) }, score: match.score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ found }) => found);
}

/** Created on first use: it loads the rules of all scripts. */
let segmenter: Intl.Segmenter | null = null;

function split(label: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(label)].map(({ segment }) => segment);
}

function lettersOf(graphemes: readonly string[]): Letter[] {
  let before = " ";
  return graphemes.flatMap((grapheme, from) =>
    [...fold(grapheme)].map((text) => {
      const beginsWord = !/[\p{L}\p{N}\p{M}]/u.test(before);
      before = text;
      return { text, from, beginsWord };
    }),
  );
}

const BEGINS_LABEL = 1_000;
const IN_ONE_PIECE = 400;
const BEGINS_WORD = 20;
const FOLLOWS = 10;

/** Finds the best subsequence match; a greater score is better, null is no match. */
function matchLetters(wanted: readonly string[], letters: readonly Letter[]): { score: number; from: Set<number> } | null {
  let best: { score: number; from: Set<number> } | null = null;
  for (const [start, first] of letters.entries()) {
    if (first.text !== wanted[0]) continue;
    const at = follow(wanted, letters, start);
    if (at === null) break;
    const score = scoreOf(at, letters);
    if (best === null || score > best.score) {
      best = { score, from: new Set(at.map((index) => letters[index]?.from ?? 0)) };
    }
  }
  return best;
}

/** Matches from the position of the first letter, each further letter at its next occurrence. */
function follow(wanted: readonly string[], letters: readonly Letter[], start: number): number[] | null {
  const places = [start];
  for (const char of wanted.slice(1)) {
    const next = letters.findIndex(({ text }, index) => index > (places.at(-1) ?? start) && text === char);
    if (next < 0) return null;
    places.push(next);
  }
  return places;
}

function scoreOf(places: readonly number[], letters: readonly Letter[]): number {
  const isFollowing = (place: number, index: number) => {
    const before = places[index - 1];
    return before !== undefined && letters.slice(before + 1, place).every(({ text }) => text === " ");
  };
  const follows = places.filter(isFollowing).length;
  const starts = places.filter((place) => letters[place]?.beginsWord).length;
  const whole = follows === places.length - 1 ? IN_ONE_PIECE : 0;
  const beginning = whole > 0 && places[0] === 0 ? BEGINS_LABEL : 0;
  return beginning + whole + starts * BEGINS_WORD + follows * FOLLOWS - letters.length / 10;
}

function spansOf(graphemes: readonly string[], matched: ReadonlySet<number>): MatchSpan[] {
  const spans: MatchSpan[] = [];
  for (const [index, text] of graphemes.entries()) {
    const last = spans.at(-1);
    if (last?.matched === matched.has(index)) last.text += text;
    else spans.push({ text, matched: matched.has(index) });
  }
  return spans;
}

/** The kinds of matches between a query and a name, the best last. */
export const FIT = {
  /** Only the letters match, in their order. */
  letters: 0,
  part: 1,
  wordBeginning: 2,
  word: 3,
  beginning: 4,
  full: 5,
} as const;

const IN_WORD = /[\p{L}\p{N}\p{M}]/u;

/** The best match among the names; of several separate words, the match of the worst. */
export function nameFit(query: string, names: readonly string[]): number {
  const wanted = fold(query.trim());
  if (wanted === "") return FIT.letters;
  return Math.max(FIT.letters, ...names.map((name) => fitOf(wanted, fold(name.trim()))));
}

function fitOf(wanted: string, name: string): number {
  if (name === wanted) return FIT.full;
  if (name.startsWith(wanted)) return FIT.beginning;
  const whole = fitWithin(wanted, name);
  return whole === FIT.letters ? Math.min(...wanted.split(/\s+/).map((word) => fitWithin(word, name))) : whole;
}

/** The best of the contiguous matches. */
function fitWithin(wanted: string, name: string): number {
  let best: number = FIT.letters;
  for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
    const beginsWord = !IN_WORD.test(name.slice(0, at).at(-1) ?? " ");
    const endsWord = !IN_WORD.test(name.charAt(at + wanted.length));
    best = Math.max(best, beginsWord ? (endsWord ? FIT.word : FIT.wordBeginning) : FIT.part);
  }
  return best;
}

/**
 * Orders by full match, then prefix, whole word, prefix of a word and substring, of any kind; the rest keeps its order.
 */
export function bestFirst<T extends { group: string; names: readonly string[] }>(query: string, entries: readonly T[]): (T & { heading: string })[] {
  const fits = new Map(entries.map((entry) => [entry, nameFit(query, entry.names)]));
  const fitOf = (entry: T) => fits.get(entry) ?? FIT.letters;
  const ranked = [...entries].sort((a, b) => fitOf(b) - fitOf(a));
  // If the kinds are in their order, each has its own heading.
  const isMixed = ranked.some((entry, index) => entries.indexOf(entry) !== index && entry.group !== entries[index]?.group);
  return ranked.map((entry) => ({ ...entry, heading: isMixed && fitOf(entry) > FIT.letters ? "best" : entry.group }));
}
