// Finds texts in a rendered page across the boundaries of its nodes.
import { fold } from "../i18n/fold";

/** The greatest number of matches. */
const MAX_MATCHES = 1000;
/** Elements whose text is not displayed. */
const SKIPPED_ELEMENTS = "script, style, annotation, .katex-mathml, svg";

interface Letter {
  node: Text;
  start: number;
  end: number;
}

/** The matches of the texts below an element, in order, without overlaps. */
export function findTexts(texts: readonly string[], root: Element): Range[] {
  const wanted = texts.map((text) => fold(text).replace(/\s+/g, "")).filter((text) => text !== "");
  if (wanted.length === 0) return [];
  const { folded, letters } = read(root);
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

/** The text below an element, folded and without blanks, with the source of each unit. */
function read(root: Element): { folded: string; letters: Letter[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const letters: Letter[] = [];
  let folded = "";
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest(SKIPPED_ELEMENTS)) continue;
    for (const [character, start] of charactersOf(node.data)) {
      const text = fold(character).replace(/\s+/g, "");
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
