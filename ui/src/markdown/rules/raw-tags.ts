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
  /** The ends that occur no more in a text. */
  const missing = new WeakMap<StateInline, Set<string>>();
  md.inline.ruler.before("html_inline", "unended_html", (state, silent) => {
    const { src, pos } = state;
    if (src[pos] !== "<") return false;
    const end = ENDS.find(([start]) => src.startsWith(start, pos))?.[1];
    if (end === undefined) return false;
    const known = missing.get(state) ?? new Set<string>();
    if (!known.has(end)) {
      if (src.includes(end, pos)) return false;
      missing.set(state, known.add(end));
    }
    if (!silent) state.pending += "<";
    state.pos += 1;
    return true;
  });
}
