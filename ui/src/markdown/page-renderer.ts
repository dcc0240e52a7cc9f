// Renders a page piece by piece: as much as fills a screen before the rest of it, and again and again while its source
// changes, in the time that the change takes.
//
// The parser's first stage, which finds the blocks, is quick and runs over the whole page. What the others make of a
// piece of it depends on its text and on little else: which references and footnotes the page defines, which anchors are
// taken, how many tasks and footnotes stand before it. So what was made is kept, with what it has taken of these; where
// a piece would take the same again, it is taken in its name, and nothing is parsed.
import type { Env, Token } from "markdown-it";
import { cutTokens, joinPieces, type Lines, type Piece, pieceOf } from "./blocks";
import { Cleaner, type Drawn, type DrawnBlock } from "./cleaner";
import { type OutlineEntry, pageEnv, pageOf } from "./context";
import { detectLanguage } from "./language";
import { addTo, type Queue } from "./queue";
import { drawnBlock, isRawHtml, type RenderedPage, type RenderedText, renderText } from "./render";
import { footnotesOf } from "./rules/footnotes";
import type { TableMeta } from "./rules/tables";
import { draw, runStage } from "./stages";
import type { PageWords } from "./words";

/** More characters of HTML than a pixel of a screen's height has room for. */
const DENSITY = 10;
/** What defines a link or a footnote, or is one, wherever it stands. */
const DEFINITION = /\]:|\^\[/;
const FRONT_MATTER_END = /\n---[ \t]*\n/;

/** Renders a page once. */
export function renderPage(source: string, path: string, words: PageWords): RenderedPage {
  return { ...new PageRenderer(path, words).render(source), language: detectLanguage(source) };
}

/** A page that may be shown before it is whole. */
export interface BegunPage extends RenderedPage {
  /** Renders all of the page, which begins with what is here; null where that is all. */
  rest: (() => RenderedPage) | null;
}

/** Renders what fills a screen that is `height` pixels high. */
export function beginPage(source: string, path: string, words: PageWords, height: number): BegunPage {
  const language = detectLanguage(source);
  const enough = height * DENSITY;
  const beginning = beginningOf(source, 2 * enough);
  if (beginning !== null) {
    const first = new PageRenderer(path, words).renderInTurn(beginning, enough).next();
    // All of the beginning may be less than a screen, and its last block goes on in what was cut off.
    if (!first.done) return { ...first.value, language, rest: () => renderPage(source, path, words) };
  }
  const parts = new PageRenderer(path, words).renderInTurn(source, enough);
  const { value: text, done } = parts.next();
  return { ...text, language, rest: done ? null : () => ({ ...parts.next().value, language }) };
}

/**
 * Up to so many characters from the start of a page, which all but the last block of are blocks of the whole page: to
 * find those of a long page takes longer than to draw a screen. Null where the page is short, or what comes later may
 * change what stands before.
 */
function beginningOf(source: string, length: number): string | null {
  if (source.length <= length || DEFINITION.test(source)) return null;
  const end = source.lastIndexOf("\n\n", length);
  const [beginning, rest] = [source.slice(0, end + 1), source.slice(end + 1)];
  // Where these begin, they are what they are only if they end.
  if (beginning.includes("$$") && rest.includes("$$")) return null;
  if (beginning.startsWith("---") && !FRONT_MATTER_END.test(beginning)) return null;
  return beginning;
}

/** A mention of a footnote, with the numbers that it got. */
interface Mention {
  label: string;
  id: number;
  subId: number;
}

/** What was made of a piece, and what it has taken of the page. Lines are counted from its first. */
interface Made extends Piece, Drawn {
  /** The page's definitions that it was made with, where it may have looked at them. */
  definitions: number | null;
  headings: OutlineEntry[];
  firstTask: number;
  tasks: number[];
  mentions: Mention[];
}

/** A piece of the page as the first stage has found it. */
interface Found {
  tokens: Token[];
  /** Its first line, from 0. */
  line: number;
  /** What it is made of; null where what is made of it can't be kept. */
  key: string | null;
}

export class PageRenderer {
  readonly #cleaner: Cleaner;
  /** What was made of the page as it was, in its order. */
  #kept = new Map<string, Queue<Made>>();
  #definitions = "";
  /** Raised whenever they change. */
  #definitionsNumber = 0;

  constructor(path: string, words: PageWords) {
    this.#cleaner = new Cleaner(path, words);
  }

  render(source: string): RenderedText {
    return this.renderInTurn(source, Infinity).next().value;
  }

  /** Yields the first blocks, as many as have `first` characters of HTML, if there are more; returns all of them. */
  *renderInTurn(source: string, first: number): Generator<RenderedText, RenderedText> {
    const env = pageEnv(this.#cleaner.path, this.#cleaner.words);
    const { src, tokens } = runStage("blocks", source, env);
    // A footnote that is defined within something else is taken out of its midst.
    const cut = cutTokens(tokens);
    if (cut.some((piece) => piece.findLastIndex(isDefinition) > 0)) return renderText(source, this.#cleaner);

    this.#noteDefinitions(env);
    const starts = lineStarts(src);
    const pieces = this.#makeAll(cut.map((piece) => foundIn(piece, src, starts)), src, env);
    const blocks: DrawnBlock[] = [];
    let left = first;
    for (const block of joinPieces(pieces, source.split("\n").length)) {
      if (left <= 0) {
        yield this.#textOf(blocks, env);
        left = Infinity;
      }
      const drawn = drawnBlock(block);
      blocks.push(drawn);
      left -= drawn.raw.length;
    }
    return this.#textOf(blocks, env);
  }

  #textOf(blocks: readonly DrawnBlock[], env: Env): RenderedText {
    const { outline, tasks } = pageOf(env);
    return { blocks: this.#cleaner.clean(blocks), outline: [...outline], tasks: [...tasks] };
  }

  *#makeAll(all: readonly Found[], src: string, env: Env): Generator<Piece & Drawn, void> {
    const kept = new Map<string, Queue<Made>>();
    const definitions: Token[] = [];
    for (const found of all) {
      if (found.tokens[0] !== undefined && isDefinition(found.tokens[0])) {
        // What is mentioned in a footnote counts from here; it is shown at the end.
        for (const token of runStage("lines", src, env, found.tokens).tokens) definitions.push(token);
        continue;
      }
      const { notesLeftOut } = pageOf(env);
      const made = this.#takeAgain(found, env) ?? this.#make(found, src, env);
      // With fewer footnotes before it, none of its own would be left out.
      if (found.key !== null && pageOf(env).notesLeftOut === notesLeftOut) addTo(kept, found.key, made);
      yield { ...made, lines: shifted(made.lines, found.line) };
    }
    this.#kept = kept;
    for (const tokens of cutTokens(runStage("footnotes", src, env, definitions).tokens)) yield finish(tokens, src, env);
  }

  /** What was made of the same text, if it can take the same of the page again. */
  #takeAgain({ key, line }: Found, env: Env): Made | null {
    const made = key === null ? undefined : this.#kept.get(key)?.take();
    if (made === undefined) return null;
    if (made.definitions !== null && made.definitions !== this.#definitionsNumber) return null;
    const page = pageOf(env);
    if (made.tasks.length > 0 && made.firstTask !== page.tasks.length) return null;
    if (!mentionAgain(made.mentions, env) || !page.slugs.takeAgain(made.headings)) return null;
    for (const heading of made.headings) page.outline.push({ ...heading, line: heading.line + line });
    for (const task of made.tasks) page.tasks.push(task + line);
    return made;
  }

  #make({ tokens, line, key }: Found, src: string, env: Env): Made {
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

/** What the last stages make of a piece. */
function finish(tokens: Token[], src: string, env: Env): Piece & Drawn {
  const done = runStage("rest", src, env, tokens).tokens;
  return { ...pieceOf(done), raw: draw(done, env), hasHtml: done.some(isRawHtml) };
}

function foundIn(tokens: Token[], src: string, starts: readonly number[]): Found {
  const [first] = tokens;
  if (!first?.map) return { tokens, line: 0, key: null };
  const [line, end] = first.map;
  const text = src.slice(starts[line], starts[end] ?? src.length);
  // A footnote that is written where it is mentioned goes to the page's end, and must be parsed for it each time.
  // The cells of a table depend on the tables before it, where there are too many.
  const key = text.includes("^[") || tokens.some(isRagged) ? null : `${line === 0 ? "first " : ""}${first.type}\n${text}`;
  return { tokens, line, key };
}

/** Where each line begins. */
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

/** Pictures have inline tokens of their own. */
function mentionsIn({ type, meta, children }: Token): Mention[] {
  if (type === "footnote_ref") return [meta as unknown as Mention];
  return children?.flatMap(mentionsIn) ?? [];
}

/** Counts the mentions if they get the numbers that they have; else does nothing, and says so. */
function mentionAgain(mentions: readonly Mention[], env: Env): boolean {
  if (mentions.length === 0) return true;
  const { refs = {}, list = [] } = footnotesOf(env) ?? {};
  const counts = new Map<number, number>();
  let next = list.length;
  for (const { label, id, subId } of mentions) {
    const known = refs[`:${label}`];
    const isFirst = known === -1 && !counts.has(id);
    if ((isFirst ? next++ : known === -1 ? id : known) !== id) return false;
    const count = counts.get(id) ?? (isFirst ? 0 : list[id]?.count);
    if (count !== subId) return false;
    counts.set(id, count + 1);
  }
  for (const { label, id, subId } of mentions) {
    refs[`:${label}`] = id;
    list[id] = { label, count: subId + 1 };
  }
  env["footnotes"] = { refs, list };
  return true;
}
