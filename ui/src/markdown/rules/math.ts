// TeX formulas: `$…$` in a line and `$$…$$` by itself. They are only found here and kept as written; `live/math.ts`
// sets them once they are on the screen.
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** The maximum length of a formula. Real formulas are shorter, and the search for a missing end stays cheap. */
const MAX_INLINE_LENGTH = 2_000;
const MAX_LINES = 500;

/** A markdown-it plugin. */
export function math(md: MarkdownIt): void {
  md.inline.ruler.before("escape", "math", parseInline);
  md.block.ruler.before("fence", "math_block", parseBlock, { alt: ["paragraph", "reference", "blockquote", "list"] });
  const { escapeHtml } = md.utils;
  md.renderer.rules["math"] = (tokens, index) => `<span class="math">${escapeHtml(tokens[index]?.content ?? "")}</span>`;
  md.renderer.rules["math_display"] = (tokens, index) =>
    `<span class="math math-display">${escapeHtml(tokens[index]?.content ?? "")}</span>`;
  md.renderer.rules["math_block"] = (tokens, index) =>
    `<div class="math math-display">${escapeHtml(tokens[index]?.content ?? "")}</div>\n`;
}

function parseInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  // Prices and the names of shell variables are not formulas: an adjacent word before the mark, or after it, excludes
  // them.
  if (src[pos] !== "$" || /[\w$]/.test(src[pos - 1] ?? "")) return false;
  const mark = src.startsWith("$$", pos) ? "$$" : "$";
  const end = closing(src, pos + mark.length, mark, state.posMax);
  if (end === null) return false;
  if (!silent) {
    const token = state.push(mark === "$" ? "math" : "math_display", "", 0);
    token.content = src.slice(pos + mark.length, end).trim();
    token.markup = mark;
  }
  state.pos = end + mark.length;
  return true;
}

/**
 * Returns the end of the formula that starts at `start`, or null if it has none. The first mark that can't close ends
 * the attempt: in “$2 if you can solve $y = x^2$” the price is text.
 */
function closing(src: string, start: number, mark: string, posMax: number): number | null {
  if (mark === "$" && /\s/.test(src[start] ?? " ")) return null;
  const at = unescaped(src, mark, start, Math.min(posMax, start + MAX_INLINE_LENGTH) - mark.length);
  if (at === null || src.slice(start, at).trim() === "") return null;
  if (mark === "$" && (/\s/.test(src[at - 1] ?? " ") || /\w/.test(src[at + 1] ?? ""))) return null;
  return at;
}

/** Returns the first mark from `start` to `last` that is not escaped by a backslash. */
function unescaped(src: string, mark: string, start: number, last: number): number | null {
  for (let at = src.indexOf(mark, start); at >= 0 && at <= last; at = src.indexOf(mark, at + 1)) {
    if (!isEscaped(src, at)) return at;
  }
  return null;
}

function isEscaped(src: string, at: number): boolean {
  return (/\\*$/.exec(src.slice(Math.max(0, at - 64), at))?.[0].length ?? 0) % 2 === 1;
}

function parseBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineOf(state, startLine);
  if (!first.startsWith("$$")) return false;
  const end = lastLine(state, startLine, Math.min(endLine, startLine + MAX_LINES));
  if (end === null) return false;
  if (silent) return true;
  const text = state.getLines(startLine, end + 1, state.sCount[startLine] ?? 0, false).trim();
  const token = state.push("math_block", "", 0);
  token.block = true;
  token.map = [startLine, end + 1];
  token.markup = "$$";
  token.content = text.slice(2, -2).trim();
  state.line = end + 1;
  return true;
}

/** Returns the line that ends with the closing mark. Text after the mark makes it an inline formula. */
function lastLine(state: StateBlock, startLine: number, endLine: number): number | null {
  for (let line = startLine; line < endLine; line++) {
    if (line > startLine && (state.sCount[line] ?? 0) < state.blkIndent) return null;
    const text = line === startLine ? lineOf(state, line).slice(2) : lineOf(state, line);
    const mark = text.indexOf("$$");
    if (mark >= 0) return text.slice(mark + 2).trim() === "" && (line > startLine || text.slice(0, mark).trim() !== "") ? line : null;
  }
  return null;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}
