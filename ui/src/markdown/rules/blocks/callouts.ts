// Callouts: a quotation whose first line is `[!kind] title`, as Obsidian and GitHub write them. `-` or `+` after the
// kind makes one that folds.
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { CALLOUT_ALIASES, CALLOUT_KINDS, type CalloutKind } from "../../callout-kinds";
import { pageOf } from "../../rendering/context";

/** The part after `|` is metadata for themes of Obsidian. */
const MARK = /^\[!([^\][|\n]+)(?:\|[^\][\n]*)?\]([+-]?)(?:[ \t\u3000]+|$)/;

/** A markdown-it plugin. It reads the end of the first line, so it must run before the rule for line breaks. */
export function callouts(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "callouts", (state) => {
    const open: { token: Token; callout: Callout | null }[] = [];
    state.tokens = state.tokens.flatMap((token, index) => {
      if (token.type === "blockquote_open") {
        const callout = calloutAt(state, index);
        open.push({ token, callout });
        return callout === null ? [token] : begin(state, token, callout);
      }
      if (token.type === "blockquote_close") return end(state, token, open.pop()?.callout ?? null);
      const { callout } = open.at(-1) ?? { callout: null };
      return callout?.hidden.has(token) === true ? [] : [token];
    });
  });
}

interface Callout {
  kind: CalloutKind;
  /** The element: one that folds, or a plain one. */
  tag: "details" | "div";
  isOpen: boolean;
  title: Token[];
  /** The paragraph of the first line, if it has no other lines. */
  hidden: ReadonlySet<Token>;
  hasBody: boolean;
}

function calloutAt(state: StateCore, index: number): Callout | null {
  const [paragraph, inline, close] = state.tokens.slice(index + 1, index + 4);
  if (paragraph?.type !== "paragraph_open" || inline?.type !== "inline" || close === undefined) return null;
  const [first, ...rest] = inline.children ?? [];
  const mark = first?.type === "text" ? MARK.exec(first.content) : null;
  if (first === undefined || mark === null) return null;
  const [whole, name = "", fold] = mark;
  first.content = first.content.slice(whole.length);
  const all = [first, ...rest];
  const lineEnd = all.findIndex(({ type }) => type === "softbreak" || type === "hardbreak");
  const line = lineEnd < 0 ? all : all.slice(0, lineEnd);
  inline.children = lineEnd < 0 ? [] : all.slice(lineEnd + 1);
  const kind = kindOf(name);
  return {
    kind: kind ?? "note",
    tag: fold === "" ? "div" : "details",
    isOpen: fold === "+",
    title: isBlank(line) ? [textOf(state, kind === null ? capitalized(name.trim()) : pageOf(state.env).words.callout(kind))] : line,
    hidden: new Set(lineEnd < 0 ? [paragraph, inline, close] : []),
    hasBody: lineEnd >= 0 || state.tokens[index + 4]?.type !== "blockquote_close",
  };
}

/** Returns the kind of this name; null if no kind has it. */
function kindOf(name: string): CalloutKind | null {
  const folded = name.trim().toLowerCase();
  const kind = CALLOUT_ALIASES.get(folded) ?? folded;
  return CALLOUT_KINDS.find((known) => known === kind) ?? null;
}

function begin(state: StateCore, open: Token, { kind, tag, isOpen, title, hasBody }: Callout): Token[] {
  [open.type, open.tag] = ["callout_open", tag];
  open.attrs = [["class", `callout callout-${kind}`], ...(isOpen ? [["open", ""] as [string, string]] : [])];
  const titleTag = tag === "details" ? "summary" : "p";
  const titleOpen = new state.Token("callout_title_open", titleTag, 1);
  const inline = new state.Token("inline", "", 0);
  const titleClose = new state.Token("callout_title_close", titleTag, -1);
  titleOpen.attrs = [["class", "callout-title"]];
  [inline.children, inline.map] = [title, open.map];
  [titleOpen.block, titleClose.block] = [true, true];
  return [open, titleOpen, inline, titleClose, ...(hasBody ? [bodyToken(state, 1)] : [])];
}

function end(state: StateCore, close: Token, callout: Callout | null): Token[] {
  if (callout === null) return [close];
  [close.type, close.tag] = ["callout_close", callout.tag];
  return callout.hasBody ? [bodyToken(state, -1), close] : [close];
}

function bodyToken(state: StateCore, nesting: 1 | -1): Token {
  const token = new state.Token(nesting === 1 ? "callout_body_open" : "callout_body_close", "div", nesting);
  token.block = true;
  if (nesting === 1) token.attrs = [["class", "callout-body"]];
  return token;
}

function isBlank(tokens: readonly Token[]): boolean {
  return tokens.every(({ type, content }) => type === "text" && content.trim() === "");
}

function textOf(state: StateCore, content: string): Token {
  const text = new state.Token("text", "", 0);
  text.content = content;
  return text;
}

function capitalized(name: string): string {
  const [first = "", ...rest] = name;
  return first.toUpperCase() + rest.join("");
}
