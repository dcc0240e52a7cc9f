// `#tag` in the text: a link to the list of its pages. The store has the same rule (`crates/wiki/src/markdown/tag.rs`).
import type { MarkdownIt, StateInline } from "markdown-it";
import { searchAddress } from "../../api/search";

/** A word of letters, digits, `-`, `_` and `/` that does not continue another word. */
const TAG = /(?<![\p{Alphabetic}\p{N}\p{M}_/#&-])#([\p{Alphabetic}\p{N}\p{M}_][\p{Alphabetic}\p{N}\p{M}_/-]*)/uy;
/** The maximum length of a name, in UTF-16 code units. */
const MAX_LENGTH = 170;

/** Returns true if `#name` is a tag. */
export function isTag(name: string): boolean {
  return name.length <= MAX_LENGTH && /^[\p{Alphabetic}\p{N}\p{M}_][\p{Alphabetic}\p{N}\p{M}_/-]*(?<![/-])$/u.test(name) && /\p{Alphabetic}/u.test(name);
}

/** Returns the tag that is most like a text, without the characters that no tag has; null if there is none. */
export function tagLike(text: string): string | null {
  const name = text.trim().replace(/[^\p{Alphabetic}\p{N}\p{M}_/]+/gu, "-").replace(/^[/-]+|[/-]+$/g, "");
  return isTag(name) ? name : null;
}

/** A markdown-it plugin. */
export function tags(md: MarkdownIt): void {
  md.inline.ruler.before("link", "tag", parse);
}

/** The address of the list of pages that have a tag, or one below it. */
export function tagAddress(tag: string): string {
  return searchAddress({ query: /\s/.test(tag) ? `tag:"${tag}"` : `tag:${tag}` });
}

function parse(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23 || state.linkLevel > 0) return false;
  TAG.lastIndex = state.pos;
  const written = TAG.exec(state.src)?.[1];
  if (written === undefined) return false;
  const name = written.slice(0, state.posMax - state.pos - 1).replace(/[/-]+$/, "");
  if (!/\p{Alphabetic}/u.test(name) || name.length > MAX_LENGTH) return false;
  if (!silent) {
    const open = state.push("tag_open", "a", 1);
    open.attrs = [["href", tagAddress(name)], ["class", "tag"]];
    state.push("text", "", 0).content = `#${name}`;
    state.push("tag_close", "a", -1);
  }
  state.pos += name.length + 1;
  return true;
}
