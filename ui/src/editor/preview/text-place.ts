// Positions in a text that is opened: the line at the upper edge, and the cursor.
import type { Text } from "@codemirror/state";

const HAS_TEXT = /[\p{L}\p{N}]/u;
/** The first or last line of a fenced code block. */
const FENCE = /^\s*(?:`{3}|~{3})/;
/** The maximum number of lines among which the end of the metadata is searched. */
const MAX_METADATA = 10_000;
const METADATA = /^---[ \t]*$/;

/** Converts a line, which may be a fraction, to the position before the word that is there. */
export function positionOf(doc: Text, line: number): number {
  const whole = Math.floor(line);
  if (whole >= doc.lines) return doc.length;
  const { from, length, text } = doc.line(whole + 1);
  const offset = Math.floor(length * (line - whole));
  const word = /[\p{L}\p{N}]*$/u.exec(text.slice(0, offset))?.[0] ?? "";
  return from + (/^[\p{L}\p{N}]/u.test(text.slice(offset)) ? offset - word.length : offset);
}

/**
 * The end of the first line with text from `line` on: typing there harms no markup. Without such a line, the end of the
 * text.
 */
export function cursorFrom(doc: Text, line: number): number {
  const first = Math.max(Math.floor(line), metadataLines(doc)) + 1;
  for (let number = first; number <= doc.lines; number++) {
    const { text, to } = doc.line(number);
    if (HAS_TEXT.test(text) && !FENCE.test(text)) return to - (text.length - text.trimEnd().length);
  }
  return doc.length;
}

/** The end of the last metadata line; 0 if there are none. */
export function metadataEnd(doc: Text): number {
  const lines = metadataLines(doc);
  return lines === 0 ? 0 : doc.line(lines).to;
}

/** The number of metadata lines at the start of the text (`markdown/rules/front-matter.ts`). */
function metadataLines(doc: Text): number {
  if (!METADATA.test(doc.line(1).text)) return 0;
  for (let number = 2; number <= Math.min(doc.lines, MAX_METADATA); number++) {
    if (METADATA.test(doc.line(number).text)) return number === 2 ? 0 : number;
  }
  return 0;
}
