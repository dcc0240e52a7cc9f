// Metadata between two `---` lines at the very start of a page, shown verbatim and never parsed as Markdown.
import type { MarkdownIt, StateBlock } from "markdown-it";

const FENCE = /^---[ \t]*$/;
const OPENING = '<pre class="front-matter">';

/** A markdown-it plugin. */
export function frontMatter(md: MarkdownIt): void {
  md.block.ruler.before("table", "front_matter", parse);
  md.renderer.rules["front_matter"] = (tokens, index) =>
    `${OPENING}<code>${md.utils.escapeHtml(tokens[index]?.content ?? "")}</code></pre>\n`;
}

/** True for the block that the metadata become; it is the first one of a page. */
export function isFrontMatter({ html }: { html: string }): boolean {
  return html.startsWith(OPENING);
}

function parse(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (startLine !== 0 || state.level !== 0 || !FENCE.test(lineOf(state, 0))) return false;
  let end = 1;
  while (end < endLine && !FENCE.test(lineOf(state, end))) end++;
  if (end === 1 || end >= endLine) return false;
  if (silent) return true;
  const token = state.push("front_matter", "", 0);
  token.block = true;
  token.map = [0, end + 1];
  token.content = state.getLines(1, end, 0, false);
  state.line = end + 1;
  return true;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line]);
}
