// Renders a page in pieces: a screenful before the rest, and repeatedly while its source changes, in time proportional
// to the change.
//
// The parser's first stage, which finds the blocks, is fast and covers the whole page. The output of the other stages
// for a piece depends on its text and on little else: the references and footnotes that the page defines, the anchors
// that are taken, and the number of tasks and footnotes before it. So the output is cached together with the page state
// that it used. If a piece would use the same state again, the cached output is reused without parsing.
import type { Env, Token } from "markdown-it";
import { MAX_MENTIONS } from "./bounds";
import { cutTokens, joinPieces, type Lines, type Piece, pieceOf } from "./blocks";
import { Cleaner, type RawHtml, type RawBlock } from "../sanitizing/cleaner";
import { type OutlineEntry, pageEnv, pageOf } from "./context";
import { detectLanguage } from "../language";
import { addTo, type Queue } from "./queue";
import { drawnBlock, isRawHtml, type RenderedPage, type RenderedText, renderText } from "./render";
import { footnotesOf } from "../rules/blocks/footnotes";
import type { TableMeta } from "../rules/blocks/tables";
import { draw, runStage } from "./stages";
import { NO_WORDS, type PageWords } from "../page-words";

/** An upper bound on the characters of HTML for each pixel of a screen's height. */
const DENSITY = 10;
/** Matches the definition of a link or a footnote, and inline footnotes, anywhere in the source. */
const DEFINITION = /\]:|\^\[/;
const FRONT_MATTER_END = /\n---[ \t]*\n/;

/** Renders a page once. */
export function renderPage(source: string, path: string, words: PageWords): RenderedPage {
  return { ...new PageRenderer(path, words).render(source), language: detectLanguage(source) };
}

/** Returns the headings of a page. */
export function outlineOf(source: string): OutlineEntry[] {
  return new PageRenderer("/", NO_WORDS).render(source).outline;
}

/** A page that may be shown before it is complete. */
export interface BegunPage extends RenderedPage {
  /** Renders the whole page, including this beginning; null if the beginning is the whole page. */
  rest: (() => RenderedPage) | null;
}

/** Renders enough to fill a screen that is `height` pixels high. */
export function beginPage(source: string, path: string, words: PageWords, height: number): BegunPage {
  const language = detectLanguage(source);
  const enough = height * DENSITY;
  const beginning = beginningOf(source, 2 * enough);
  if (beginning !== null) {
    const first = new PageRenderer(path, words).renderInTurn(beginning, enough).next();
    // The whole beginning may be less than a screen, and its last block may continue beyond the cut.
    if (!first.done) return { ...first.value, language, rest: () => renderPage(source, path, words) };
  }
  const parts = new PageRenderer(path, words).renderInTurn(source, enough);
  const { value: text, done } = parts.next();
  return { ...text, language, rest: done ? null : () => ({ ...parts.next().value, language }) };
}

/**
 * Returns up to `length` characters from the start of a page, of which all but the last block are blocks of the whole
 * page. Finding all blocks of a long page takes longer than drawing a screen. Null if the page is short, or if later
 * text may change earlier blocks.
 */
function beginningOf(source: string, length: number): string | null {
  if (source.length <= length || DEFINITION.test(source)) return null;
  const end = source.lastIndexOf("\n\n", length);
  const [beginning, rest] = [source.slice(0, end + 1), source.slice(end + 1)];
  // These constructs only count if they also end.
  if (beginning.includes("$$") && rest.includes("$$")) return null;
  if (beginning.startsWith("---") && !FRONT_MATTER_END.test(beginning)) return null;
  return beginning;
}

/** A mention of a footnote, with its assigned numbers. */
interface Mention {
  label: string;
  id: number;
  subId: number;
}

/** The output for a piece, and the page state that it used. Lines are counted from the piece's first one. */
interface PieceOutput extends Piece, RawHtml {
  /** The version of the page's definitions that the output used; null if it can't depend on them. */
  definitions: number | null;
  headings: OutlineEntry[];
  firstTask: number;
  tasks: number[];
  mentions: Mention[];
}

/** A piece of the page as found by the first stage. */
interface SourcePiece {
  tokens: Token[];
  /** The first line of the piece, from 0. */
  line: number;
  /** The cache key; null if the output can't be cached. */
  key: string | null;
}

export class PageRenderer {
  readonly #cleaner: Cleaner;
  /** The outputs for the previous version of the page, in order. */
  #outputs = new Map<string, Queue<PieceOutput>>();
  #definitions = "";
  /** Incremented at each change of the definitions. */
  #definitionsNumber = 0;

  constructor(path: string, words: PageWords) {
    this.#cleaner = new Cleaner(path, words);
  }

  render(source: string): RenderedText {
    return this.renderInTurn(source, Infinity).next().value;
  }

  /** Yields the first blocks, with at least `first` characters of HTML, if there are more. Returns all of them. */
  *renderInTurn(source: string, first: number): Generator<RenderedText, RenderedText> {
    const env = pageEnv(this.#cleaner.path, this.#cleaner.words);
    const { src, tokens } = runStage("blocks", source, env);
    // A footnote that is defined within another construct is taken out of its middle, so such a page is rendered at
    // once.
    const cut = cutTokens(tokens);
    if (cut.some((piece) => piece.findLastIndex(isDefinition) > 0)) return renderText(source, this.#cleaner);

    this.#noteDefinitions(env);
    const starts = lineStarts(src);
    const pieces = this.#makeAll(cut.map((piece) => sourcePieceOf(piece, src, starts)), src, env);
    const blocks: RawBlock[] = [];
    let remaining = first;
    for (const block of joinPieces(pieces, source.split("\n").length)) {
      if (remaining <= 0) {
        yield this.#textOf(blocks, env);
        remaining = Infinity;
      }
      const drawn = drawnBlock(block);
      blocks.push(drawn);
      remaining -= drawn.raw.length;
    }
    return this.#textOf(blocks, env);
  }

  #textOf(blocks: readonly RawBlock[], env: Env): RenderedText {
    const { outline, tasks } = pageOf(env);
    return { blocks: this.#cleaner.clean(blocks), outline: [...outline], tasks: [...tasks] };
  }

  *#makeAll(all: readonly SourcePiece[], src: string, env: Env): Generator<Piece & RawHtml, void> {
    const reusable = new Map<string, Queue<PieceOutput>>();
    const definitions: Token[] = [];
    for (const found of all) {
      if (found.tokens[0] !== undefined && isDefinition(found.tokens[0])) {
        // Mentions within a footnote count from here; the footnote is shown at the end.
        for (const token of runStage("lines", src, env, found.tokens).tokens) definitions.push(token);
        continue;
      }
      const { notesLeftOut, mentionsLeftOut } = pageOf(env);
      const made = this.#takeAgain(found, env) ?? this.#make(found, src, env);
      // With fewer footnotes before it, none of its own would be left out.
      const isWhole = pageOf(env).notesLeftOut === notesLeftOut && pageOf(env).mentionsLeftOut === mentionsLeftOut;
      if (found.key !== null && isWhole) addTo(reusable, found.key, made);
      yield { ...made, lines: shifted(made.lines, found.line) };
    }
    this.#outputs = reusable;
    for (const tokens of cutTokens(runStage("footnotes", src, env, definitions).tokens)) yield finish(tokens, src, env);
  }

  /** Returns the cached output of the same text, if the page state that it used is the same. */
  #takeAgain({ key, line }: SourcePiece, env: Env): PieceOutput | null {
    const made = key === null ? undefined : this.#outputs.get(key)?.take();
    if (made === undefined) return null;
    if (made.definitions !== null && made.definitions !== this.#definitionsNumber) return null;
    const page = pageOf(env);
    if (made.tasks.length > 0 && made.firstTask !== page.tasks.length) return null;
    if (!mentionAgain(made.mentions, env) || !page.slugs.takeAgain(made.headings)) return null;
    for (const heading of made.headings) page.outline.push({ ...heading, line: heading.line + line });
    for (const task of made.tasks) page.tasks.push(task + line);
    return made;
  }

  #make({ tokens, line, key }: SourcePiece, src: string, env: Env): PieceOutput {
    const { outline, tasks } = pageOf(env);
    const [firstHeading, firstTask] = [outline.length, tasks.length];
    runStage("lines", src, env, tokens);
    const made = finish(tokens, src, env);
    return {
      ...made,
      lines: shifted(made.lines, -line),
      definitions: key === null || key.includes("[") ? this.#definitionsNumber : null,
      headings: outline.slice(firstHeading).map((heading) => ({ ...heading, line: heading.line - line })),
      firstTask,
      tasks: tasks.slice(firstTask).map((task) => task - line),
      mentions: tokens.flatMap(mentionsIn),
    };
  }

  #noteDefinitions(env: Env): void {
    const definitions = JSON.stringify([env.references, Object.keys(footnotesOf(env)?.refs ?? {})]);
    if (definitions !== this.#definitions) this.#definitionsNumber += 1;
    this.#definitions = definitions;
  }
}

/** Runs the last stages on a piece. */
function finish(tokens: Token[], src: string, env: Env): Piece & RawHtml {
  const done = runStage("rest", src, env, tokens).tokens;
  return { ...pieceOf(done), raw: draw(done, env), hasHtml: done.some(isRawHtml) };
}

function sourcePieceOf(tokens: Token[], src: string, starts: readonly number[]): SourcePiece {
  const [first] = tokens;
  if (!first?.map) return { tokens, line: 0, key: null };
  const [line, end] = first.map;
  const text = src.slice(starts[line], starts[end] ?? src.length);
  // An inline footnote moves to the page's end, and must be parsed for it each time.
  // The cells of a table depend on the tables before it, if there are too many.
  const key = text.includes("^[") || tokens.some(isRagged) ? null : `${line === 0 ? "first " : ""}${first.type}\n${text}`;
  return { tokens, line, key };
}

/** Returns the offset of each line. */
function lineStarts(src: string): number[] {
  const starts = [0];
  for (let at = src.indexOf("\n"); at >= 0; at = src.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function shifted(lines: Lines | null, by: number): Lines | null {
  return lines && [lines[0] + by, lines[1] + by];
}

function isRagged({ type, meta }: Token): boolean {
  return type === "table_close" && (meta as TableMeta | null)?.isRagged === true;
}

function isDefinition({ type }: Token): boolean {
  return type === "footnote_reference_open";
}

/** Returns the mentions in a token. Pictures have inline tokens of their own. */
function mentionsIn({ type, meta, children }: Token): Mention[] {
  if (type === "footnote_ref") return [meta as unknown as Mention];
  return children?.flatMap(mentionsIn) ?? [];
}

/** Counts the mentions if they get the same numbers again. Otherwise returns false and changes nothing. */
function mentionAgain(mentions: readonly Mention[], env: Env): boolean {
  if (mentions.length === 0) return true;
  const page = pageOf(env);
  if (page.mentions + mentions.length > MAX_MENTIONS) return false;
  const { refs = {}, list = [] } = footnotesOf(env) ?? {};
  const counts = new Map<number, number>();
  let next = list.length;
  for (const { label, id, subId } of mentions) {
    const reference = refs[`:${label}`];
    const isFirst = reference === -1 && !counts.has(id);
    if ((isFirst ? next++ : reference === -1 ? id : reference) !== id) return false;
    const count = counts.get(id) ?? (isFirst ? 0 : list[id]?.count);
    if (count !== subId) return false;
    counts.set(id, count + 1);
  }
  for (const { label, id, subId } of mentions) {
    refs[`:${label}`] = id;
    list[id] = { label, count: subId + 1 };
  }
  env["footnotes"] = { refs, list };
  page.mentions += mentions.length;
  return true;
}
