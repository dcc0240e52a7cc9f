// The text of a link, in brackets. markdown-it scans each of thousands of nested brackets again for each bracket around
// it.
import type { MarkdownIt, StateInline } from "markdown-it";
import { DEEPEST_LABEL } from "../bounds";

const OPEN = "[".charCodeAt(0);
const CLOSE = "]".charCodeAt(0);

/** A markdown-it plugin. It must run before all rules that search for such texts. */
export function linkLabels(md: MarkdownIt): void {
  md.helpers = { ...md.helpers, parseLinkLabel: endOfLabel };
}

/**
 * A variant of markdown-it's `parseLinkLabel` with a depth limit: the end of the label that starts at `start`, or -1.
 */
function endOfLabel(state: StateInline, start: number, disableNested = false): number {
  const before = state.pos;
  const end = findEnd(state, start, disableNested);
  state.pos = before;
  return end;
}

function findEnd(state: StateInline, start: number, disableNested: boolean): number {
  let level = 1;
  state.pos = start + 1;
  while (state.pos < state.posMax) {
    const at = state.pos;
    const mark = state.src.charCodeAt(at);
    if (mark === CLOSE && --level === 0) return at;
    state.md.inline.skipToken(state);
    if (mark !== OPEN) continue;
    // A single bracket; anything longer is a link.
    if (state.pos === at + 1) level += 1;
    else if (disableNested) return -1;
    if (level > DEEPEST_LABEL) return -1;
  }
  return -1;
}
