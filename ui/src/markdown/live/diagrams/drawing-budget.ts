// Limits on diagrams, because Mermaid draws on the thread of the page. A diagram beyond the limits is shown as its source.
import { DRAWING_TIME, MAX_DIAGRAM_COUNT, MAX_DIAGRAM_LENGTH, MAX_DIAGRAM_STATEMENTS, MAX_DRAWN_STATEMENTS } from "../../rendering/bounds";

/** The kinds of diagrams of which a number is a count of parts: a few characters make millions. */
const COUNTS_PARTS = /^[ \t]*(?:packet|block)(?:-beta)?\b/m;

/** An error: drawing a diagram took too long. */
export class DrawingTooLong extends Error {}

/** Returns whether drawing a diagram alone could take too long. */
export function isTooLarge(source: string): boolean {
  if (source.length > MAX_DIAGRAM_LENGTH || statementsOf(source) > MAX_DIAGRAM_STATEMENTS) return true;
  if (!COUNTS_PARTS.test(source)) return false;
  let parts = 0;
  for (const [count] of source.matchAll(/\d+/g)) parts += Number(count);
  return parts > MAX_DIAGRAM_COUNT;
}

/** The budget of all diagrams that are drawn in one go. Drawings from the cache cost nothing. */
export class DrawingBudget {
  #statements = 0;
  readonly #end: number;

  constructor(private readonly now: () => number) {
    this.#end = now() + DRAWING_TIME;
  }

  /** Returns false if a diagram must not be drawn any more. */
  spend(source: string): boolean {
    this.#statements += statementsOf(source);
    return this.#statements <= MAX_DRAWN_STATEMENTS && this.now() < this.#end;
  }
}

function statementsOf(source: string): number {
  let count = 1;
  for (const mark of source) if (mark === "\n" || mark === ";") count += 1;
  return count;
}
