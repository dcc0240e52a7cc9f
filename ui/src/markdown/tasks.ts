// The marks of tasks (`[ ]`, `[x]`) in a page's source: where they stand, and how one is changed without touching
// anything else.

/** Quotations, markers of lists and a footnote's label may stand before a mark; nothing else may. */
const BEFORE_MARK = /^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:)*\[(?=[ xX]\][ \t\u3000])/;
const LINE_END = /\r\n|\r|\n/g;

/**
 * Says of a rendered box that the rule for tasks has made it: `{number of the task}.{this}`. Raw HTML in a page can't
 * know it, so a page can't pass something else off as a task.
 */
export const TASK_SEAL = crypto.randomUUID();

/** Where the character between the brackets stands in a line, or null if the line begins no task. */
export function markColumn(line: string): number | null {
  return BEFORE_MARK.exec(line)?.[0].length ?? null;
}

/** The source with the task of this line (from 0) done or not; null if there is no task in that line, or it is so already. */
export function setTask(source: string, line: number, done: boolean): string | null {
  const [start, end] = lineAt(source, line) ?? [0, 0];
  const column = markColumn(source.slice(start, end));
  if (column === null) return null;
  const at = start + column;
  if ((source[at] !== " ") === done) return null;
  return source.slice(0, at) + (done ? "x" : " ") + source.slice(at + 1);
}

/** Where a line begins and ends, by the line ends that Markdown knows. */
function lineAt(source: string, line: number): [start: number, end: number] | null {
  let start = 0;
  let count = 0;
  for (const { index, 0: lineEnd } of source.matchAll(LINE_END)) {
    if (count === line) return [start, index];
    start = index + lineEnd.length;
    count += 1;
  }
  return count === line ? [start, source.length] : null;
}
