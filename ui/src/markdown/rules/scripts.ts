// Subscripts `H~2~O` and superscripts `x^2^`. The plugins for them would also take ranges (“3~5月と7~9月”) and faces
// (“(^o^)”), which Japanese texts contain often, so the contents are limited to what scripts contain.
import type { MarkdownIt, StateInline } from "markdown-it";

/** The maximum length of the contents, in UTF-16 code units. */
const MAX_LENGTH = 100;
const SCRIPT = /([~^])([^\s~^]+)\1(?!\1)/y;
/** The store has the same sets (crates/wiki/src/markdown/inline/markup.rs). */
const CONTENTS = /^[\p{Alphabetic}\p{N}+\-\u2212=(](?:[\p{Alphabetic}\p{N}+\-\u2212=().,/'\u2032]*[\p{Alphabetic}\p{N}+\-\u2212=)'\u2032])?$/u;
const WORD = /[\p{Alphabetic}\p{N}]/u;
const DIGIT = /[0-9]/;
/** Characters of Japanese, Chinese and Korean, and all after them. */
const EAST_ASIAN = /[\u2e80-\u{10ffff}]/u;

/** A markdown-it plugin. Inline footnotes `^[…]` are never scripts. */
export function scripts(md: MarkdownIt): void {
  md.inline.ruler.after("emphasis", "script", script);
}

function script(state: StateInline, silent: boolean): boolean {
  SCRIPT.lastIndex = state.pos;
  const match = SCRIPT.exec(state.src);
  if (match === null || SCRIPT.lastIndex > state.posMax) return false;
  const [whole, mark, contents = ""] = match;
  if (!isScript(contents) || !mayFollow(state.src[state.pos - 1] ?? "", mark === "~", contents)) return false;
  if (!silent) {
    const tag = mark === "~" ? "sub" : "sup";
    state.push(`${tag}_open`, tag, 1);
    state.push("text", "", 0).content = contents;
    state.push(`${tag}_close`, tag, -1);
  }
  state.pos += whole.length;
  return true;
}

function isScript(contents: string): boolean {
  return contents.length <= MAX_LENGTH && CONTENTS.test(contents) && WORD.test(contents) && !EAST_ASIAN.test(contents);
}

/** False between numbers of a range, and in a face. */
function mayFollow(before: string, isSubscript: boolean, contents: string): boolean {
  return isSubscript ? !(DIGIT.test(before) && DIGIT.test(contents[0] ?? "")) : before !== "(" && before !== "\uff08";
}
