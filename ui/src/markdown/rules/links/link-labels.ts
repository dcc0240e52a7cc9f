// The text of a link, in brackets. markdown-it scans each of thousands of nested brackets again for each bracket around
// it; here, the end of each bracket is found once.
import type { MarkdownIt, StateInline } from "markdown-it";
import { DEEPEST_LABEL } from "../../rendering/bounds";

const OPEN = "[".charCodeAt(0);
const CLOSE = "]".charCodeAt(0);

/** What is known of an opening bracket. */
interface Label {
  /** The place of the closing bracket; -1 if there is none. */
  end: number;
  /** The number of nested brackets, including this one. */
  depth: number;
  /** True if there is a link inside. */
  hasLink: boolean;
  /** The end of the text in which the closing bracket was sought. */
  within: number;
}

const NONE = { end: -1, depth: 0, hasLink: false };

/** The labels of each text by the places of their opening brackets. */
const labels = new WeakMap<StateInline, Map<number, Label>>();

/** A markdown-it plugin. It must run before all rules that search for such texts. */
export function linkLabels(md: MarkdownIt): void {
  md.helpers = { ...md.helpers, parseLinkLabel: endOfLabel };
}

/**
 * A variant of markdown-it's `parseLinkLabel` with a depth limit: the end of the label that starts at `start`, or -1.
 */
function endOfLabel(state: StateInline, start: number, disableNested = false): number {
  const { end, depth, hasLink } = labelAt(state, start);
  // Within the text of a link, a bracket may end behind it.
  if (end >= state.posMax || depth > DEEPEST_LABEL) return -1;
  return disableNested && hasLink ? -1 : end;
}

function labelAt(state: StateInline, start: number): Label {
  let known = labels.get(state);
  if (known === undefined) labels.set(state, (known = new Map<number, Label>()));
  const before = known.get(start);
  if (before !== undefined && before.within >= state.posMax) return before;
  const { pos } = state;
  const label = { ...findLabel(state, start), within: state.posMax };
  state.pos = pos;
  known.set(start, label);
  return label;
}

/** Reads from a bracket to its end, past the brackets inside. If one of them does not end, this one does not either. */
function findLabel(state: StateInline, start: number): Omit<Label, "within"> {
  let [depth, hasLink] = [1, false];
  state.pos = start + 1;
  while (state.pos < state.posMax) {
    const at = state.pos;
    const mark = state.src.charCodeAt(at);
    if (mark === CLOSE) return { end: at, depth, hasLink };
    state.md.inline.skipToken(state);
    if (mark !== OPEN) continue;
    if (state.pos > at + 1) {
      // More than a single bracket is a link.
      hasLink = true;
      continue;
    }
    const inner = labelAt(state, at);
    if (inner.end < 0 || inner.end >= state.posMax) return NONE;
    depth = Math.max(depth, inner.depth + 1);
    hasLink ||= inner.hasLink;
    state.pos = inner.end + 1;
  }
  return NONE;
}
