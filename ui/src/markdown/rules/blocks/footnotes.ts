// Footnotes (`[^1]`, `^[…]`), which markdown-it-footnote parses. The steps that take it unbounded time with thousands
// of footnotes are replaced here.
import type { Env, MarkdownIt, StateCore, StateInline, Token } from "markdown-it";
import footnote from "markdown-it-footnote";
import { MAX_LABEL_LENGTH, MAX_MENTIONS, MAX_NOTES } from "../../rendering/bounds";
import { pageOf } from "../../rendering/context";
import { reportOmission } from "../../rendering/omissions";

/** The state of markdown-it-footnote for a page. */
export interface Footnotes {
  /** The number of each footnote by `:` and label, or -1 until it is mentioned. */
  refs?: Record<string, number>;
  list?: Note[];
}

interface Note {
  label?: string;
  count?: number;
  /** The source of an inline footnote. */
  content?: string;
  tokens?: Token[];
}

/** A markdown-it plugin. */
export function footnotes(md: MarkdownIt): void {
  md.use(footnote);
  md.inline.ruler.before("footnote_inline", "footnote_bounds", readAsText);
  md.inline.ruler.at("footnote_inline", inlineNote);
  md.core.ruler.at("footnote_tail", appendNotes);
  md.renderer.rules["footnote_block_close"] = (_tokens, _index, _options, env) => {
    const { words, notesLeftOut, mentions, mentionsLeftOut } = pageOf(env);
    const shown = footnotesOf(env)?.list?.length ?? 0;
    const notes = notesLeftOut === 0 ? "" : reportOmission(words, { kind: "notes", count: shown + notesLeftOut, shown });
    const more = mentionsLeftOut === 0 ? "" : reportOmission(words, { kind: "mentions", count: mentions + mentionsLeftOut, shown: mentions });
    return `</ol>\n${notes}${more}</section>\n`;
  };
}

export function footnotesOf(env: Env | undefined): Footnotes | undefined {
  return env?.["footnotes"] as Footnotes | undefined;
}

/** Takes brackets that are no mention, or one too many, as text, before the rules for mentions run. */
function readAsText(state: StateInline, silent: boolean): boolean {
  const length = state.src.startsWith("[^", state.pos) ? textOfMention(state, silent) : textOfNote(state, silent);
  if (length === 0) return false;
  if (!silent) state.pending += state.src.slice(state.pos, state.pos + length);
  state.pos += length;
  return true;
}

/** Returns the number of characters at a `[^` that are text; 0 if a mention may start there. */
function textOfMention({ src, pos, env }: StateInline, silent: boolean): number {
  const { refs, list = [] } = footnotesOf(env) ?? {};
  if (refs === undefined) return 0;
  const head = src.slice(pos, pos + MAX_LABEL_LENGTH + 3);
  const end = head.indexOf("]");
  if (end < 0) return 1;
  const id = refs[`:${head.slice(2, end)}`];
  if (id === undefined) return 0;
  const page = pageOf(env);
  if (page.mentions >= MAX_MENTIONS) {
    if (!silent) page.mentionsLeftOut += 1;
    return end + 1;
  }
  if (list.length < MAX_NOTES || id !== -1) {
    // The rule for mentions takes it.
    if (!silent) page.mentions += 1;
    return 0;
  }
  if (!silent) page.notesLeftOut += 1;
  return end + 1;
}

function textOfNote({ src, pos, env }: StateInline, silent: boolean): number {
  if (!src.startsWith("^[", pos) || (footnotesOf(env)?.list?.length ?? 0) < MAX_NOTES) return 0;
  if (!silent) pageOf(env).notesLeftOut += 1;
  return 1;
}

/**
 * Parses `^[text]`. A note gets its index before its text is parsed: a note within it would otherwise take the same
 * one.
 */
function inlineNote(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (pos + 2 >= posMax || !src.startsWith("^[", pos)) return false;
  const end = state.md.helpers.parseLinkLabel(state, pos + 1);
  if (end < 0) return false;
  if (!silent) {
    const note: Note & { tokens: Token[] } = { content: src.slice(pos + 2, end), tokens: [] };
    const notes = (state.env["footnotes"] ??= {}) as Footnotes;
    const id = (notes.list ??= []).push(note) - 1;
    state.md.inline.parse(note.content ?? "", state.md, state.env, note.tokens);
    state.push("footnote_ref", "", 0).meta = { id };
  }
  state.pos = end + 1;
  state.posMax = posMax;
  return true;
}

/** Moves the notes to the end of the text, in the order of their mentions. */
function appendNotes(state: StateCore): void {
  const notes = footnotesOf(state.env);
  if (notes === undefined) return;
  const bodies = takeBodies(state);
  if (notes.list === undefined) return;
  const push = (type: string, nesting: -1 | 0 | 1, meta: Token["meta"] = null) => {
    const token = new state.Token(type, "", nesting);
    token.meta = meta;
    state.tokens.push(token);
  };
  push("footnote_block_open", 1);
  notes.list.forEach(({ label, count, ...note }, id) => {
    push("footnote_open", 1, { id, label });
    const body = note.tokens === undefined ? bodies.get(label ?? "") : paragraphOf(state, note.content ?? "", note.tokens);
    for (const token of body ?? []) state.tokens.push(token);
    // The backlink is in the last line of the note.
    const last = state.tokens.at(-1)?.type === "paragraph_close" ? state.tokens.pop() : undefined;
    for (let subId = 0; subId < Math.max(1, count ?? 0); subId++) push("footnote_anchor", 0, { id, subId, label });
    if (last !== undefined) state.tokens.push(last);
    push("footnote_close", -1);
  });
  push("footnote_block_close", -1);
}

/** Returns the tokens of each note by its label. A note within another one is not a part of it. */
function takeBodies(state: StateCore): Map<string, Token[]> {
  const bodies = new Map<string, Token[]>();
  const open: { label: string; tokens: Token[] }[] = [];
  const text: Token[] = [];
  for (const token of state.tokens) {
    if (token.type === "footnote_reference_open") {
      open.push({ label: String(token.meta?.["label"]), tokens: [] });
    } else if (token.type === "footnote_reference_close") {
      const done = open.pop();
      if (done !== undefined) bodies.set(done.label, done.tokens);
    } else {
      (open.at(-1)?.tokens ?? text).push(token);
    }
  }
  state.tokens = text;
  return bodies;
}

function paragraphOf(state: StateCore, content: string, children: Token[]): Token[] {
  const open = new state.Token("paragraph_open", "p", 1);
  const inline = new state.Token("inline", "", 0);
  const close = new state.Token("paragraph_close", "p", -1);
  [open.block, close.block] = [true, true];
  [inline.content, inline.children] = [content, children];
  return [open, inline, close];
}
