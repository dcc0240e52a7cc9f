// Finds texts in a rendered page across the boundaries of its nodes.
import { fold, foldWidth } from "../../i18n/fold";

/** The greatest number of matches. */
export const MAX_MATCHES = 1000;
/** Elements whose text is not displayed. */
const SKIPPED_ELEMENTS = "script, style, annotation, .katex-mathml, svg";
/** Elements whose texts are separate from those around them. */
const BLOCKS = "p, li, td, th, dt, dd, h1, h2, h3, h4, h5, h6, pre, summary, div, blockquote";

export interface FindOptions {
  matchCase?: boolean;
  /** Distinguishes words with and without blanks between them; a match does not extend beyond its paragraph. */
  keepBlanks?: boolean;
}

interface Letter {
  node: Text;
  start: number;
  end: number;
}

/** The matches of the texts below an element, in order, without overlaps. */
export function findTexts(texts: readonly string[], root: Element, { matchCase = false, keepBlanks = false }: FindOptions = {}): Range[] {
  const reading: Reading = { fold: matchCase ? foldWidth : fold, blank: keepBlanks ? " " : "" };
  const wanted = texts.filter((text) => text.trim() !== "").map((text) => reading.fold(text).replace(/\s+/g, reading.blank));
  if (wanted.length === 0) return [];
  const { folded, letters } = read(root, reading);
  const matches = wanted.flatMap((text) => occurrences(folded, text)).sort((a, b) => a.from - b.from || b.to - a.to);
  const ranges: Range[] = [];
  let behind = 0;
  for (const { from, to } of matches) {
    if (from < behind || ranges.length === MAX_MATCHES) continue;
    behind = to;
    const [first, last] = [letters[from], letters[to - 1]];
    if (first === undefined || last === undefined) continue;
    const range = document.createRange();
    range.setStart(first.node, first.start);
    range.setEnd(last.node, last.end);
    ranges.push(range);
  }
  return ranges;
}

function occurrences(folded: string, text: string): { from: number; to: number }[] {
  const matches = [];
  for (let at = folded.indexOf(text); at >= 0 && matches.length < MAX_MATCHES; at = folded.indexOf(text, at + text.length)) {
    matches.push({ from: at, to: at + text.length });
  }
  return matches;
}

interface Reading {
  fold: (text: string) => string;
  /** Stands for any number of blanks. */
  blank: "" | " ";
}

/** The folded text below an element, with the source of each unit. */
function read(root: Element, { fold, blank }: Reading): { folded: string; letters: Letter[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const letters: Letter[] = [];
  let folded = "";
  let block: Element | null | undefined = null;
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest(SKIPPED_ELEMENTS)) continue;
    const ownBlock = blank === "" ? null : node.parentElement?.closest(BLOCKS);
    if (ownBlock !== block) {
      block = ownBlock;
      folded += "\n";
      letters.push({ node, start: 0, end: 0 });
    }
    for (const [character, start] of charactersOf(node.data)) {
      const text = fold(character).replace(/\s+/g, folded.endsWith(" ") ? "" : blank);
      folded += text;
      for (let unit = 0; unit < text.length; unit += 1) letters.push({ node, start, end: start + character.length });
    }
  }
  return { folded, letters };
}

/** Yields each character with its following marks, as the width of kana folds only with their marks. */
function* charactersOf(text: string): Generator<[string, number]> {
  for (const match of text.matchAll(/[\s\S][\p{M}\uff9e\uff9f]*/gu)) yield [match[0], match.index];
}
