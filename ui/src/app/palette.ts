// Finding by a few letters: what counts as the same, and what comes first.

export interface Candidate {
  /** The words that were folded once, when the candidate was made. */
  folded: string;
}

/** NFKC, lower case, and katakana as hiragana: what a person types without care finds what was written with it. */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u30a1-\u30f6\u30fd\u30fe]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/**
 * How well a folded text answers a folded query; lower is better, null is not at all. A text that begins with the
 * query stands before one that holds it, and that before one that has its letters in this order only.
 */
export function rank(query: string, text: string): number | null {
  const at = text.lastIndexOf(query);
  if (at >= 0) {
    const name = text.lastIndexOf("/") + 1;
    if (text.slice(name) === query) return 0;
    if (at === name) return 1;
    return /[\s/\-_・]/.test(text[at - 1] ?? " ") ? 2 : 3;
  }
  return isSubsequence(query.replaceAll(" ", ""), text) ? 4 : null;
}

/** The best answers, in order; equal ones stay in the order in which they came. */
export function find<T extends Candidate>(query: string, candidates: readonly T[], limit: number): T[] {
  const wanted = fold(query.trim());
  if (wanted === "") return candidates.slice(0, limit);
  const byRank: T[][] = [[], [], [], [], []];
  for (const candidate of candidates) {
    const place = rank(wanted, candidate.folded);
    if (place !== null) byRank[place]?.push(candidate);
  }
  return byRank.flat().slice(0, limit);
}

function isSubsequence(query: string, text: string): boolean {
  let at = -1;
  for (const char of query) {
    at = text.indexOf(char, at + 1);
    if (at < 0) return false;
  }
  return true;
}
