// The marks of tasks (`[ ]`, `[x]`) in a page's source: their positions, and a change of one that touches nothing else.

/** The syntax allowed before a mark: quotes, list markers and a footnote's label. */
const BEFORE_MARK = /^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:)*\[(?=[ xX]\][ \t\u3000])/;
const LINE_END = /\r\n|\r|\n/g;

/**
 * A secret that identifies rendered boxes of the rule for tasks: `{number of the task}.{this}`. Raw HTML in a page
 * can't know it, so a page can't forge a task.
 */
export const TASK_SEAL = crypto.randomUUID();

/** Returns the column of the character between the brackets, or null if the line starts no task. */
export function markColumn(line: string): number | null {
  return BEFORE_MARK.exec(line)?.[0].length ?? null;
}

/**
 * Returns the source with the task of this line (from 0) set to done or not; null if the line has no task, or the task
 * is already in that state.
 */
export function setTask(source: string, line: number, done: boolean): string | null {
  const [start, end] = lineAt(source, line) ?? [0, 0];
  const column = markColumn(source.slice(start, end));
  if (column === null) return null;
  const at = start + column;
  if ((source[at] !== " ") === done) return null;
  return source.slice(0, at) + (done ? "x" : " ") + source.slice(at + 1);
}

/** Returns the start and end of a line, by the line ends that Markdown recognizes. */
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
