// Inline raw HTML that starts and never ends (`<!--`, `<?`, `<![CDATA[`, `<!X`). markdown-it scans for its end to the
// end of the text, once for each start.
import type { MarkdownIt, StateInline } from "markdown-it";

const ENDS: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<!", ">"],
  ["<?", "?>"],
];

/** A markdown-it plugin. */
export function rawTags(md: MarkdownIt): void {
  /** The ends that no longer occur in a text, with the offset from which they are missing. */
  const missing = new WeakMap<StateInline, Map<string, number>>();
  md.inline.ruler.before("html_inline", "unended_html", (state, silent) => {
    const { src, pos } = state;
    if (src[pos] !== "<") return false;
    const end = ENDS.find(([start]) => src.startsWith(start, pos))?.[1];
    if (end === undefined) return false;
    const positions = missing.get(state) ?? new Map<string, number>();
    // A label is scanned before the text in front of it, so the offset may be smaller than the previous one.
    if (pos < (positions.get(end) ?? Infinity)) {
      if (src.includes(end, pos)) return false;
      missing.set(state, positions.set(end, pos));
    }
    if (!silent) state.pending += "<";
    state.pos += 1;
    return true;
  });
}
