// Raw HTML in a line that begins and never ends (`<!--`, `<?`, `<![CDATA[`, `<!X`): markdown-it looks for its end up to the end
// of the text, for each that begins.
import type { MarkdownIt, StateInline } from "markdown-it";

const ENDS: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<!", ">"],
  ["<?", "?>"],
];

/** A markdown-it plugin. */
export function rawTags(md: MarkdownIt): void {
  /** The ends that occur no more in a text, with the place from which on. */
  const missing = new WeakMap<StateInline, Map<string, number>>();
  md.inline.ruler.before("html_inline", "unended_html", (state, silent) => {
    const { src, pos } = state;
    if (src[pos] !== "<") return false;
    const end = ENDS.find(([start]) => src.startsWith(start, pos))?.[1];
    if (end === undefined) return false;
    const known = missing.get(state) ?? new Map<string, number>();
    // A label is looked through before what stands in front of it: the place may be an earlier one than before.
    if (pos < (known.get(end) ?? Infinity)) {
      if (src.includes(end, pos)) return false;
      missing.set(state, known.set(end, pos));
    }
    if (!silent) state.pending += "<";
    state.pos += 1;
    return true;
  });
}
