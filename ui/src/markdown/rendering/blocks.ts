// The top-level blocks of a parsed page, each with its source lines. A piece is the output of one parser rule at the
// top level. Most blocks are one piece; raw HTML may join several.
import type { Token } from "markdown-it";
import { isVoid, tagsIn } from "../tags";

/** The facts about a piece that decide how pieces form blocks. */
export interface Piece {
  /** The number of elements that each part of raw HTML in the piece leaves open, in order. */
  balances: readonly number[];
  /** The range from the first line, counted from 0, to the one after the last; null if the tokens have no lines. */
  lines: Lines | null;
}

export type Lines = readonly [first: number, end: number];

export interface Block<P> {
  pieces: P[];
  /** The first line in the source, from 0. */
  line: number;
  /** The line after the last. */
  end: number;
}

/** Cuts tokens into pieces, at each point where a top-level construct ends. */
export function cutTokens(tokens: readonly Token[]): Token[][] {
  const cut: Token[][] = [];
  let current: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    current.push(token);
    depth += token.nesting;
    if (depth > 0) continue;
    cut.push(current);
    current = [];
  }
  if (current.length > 0) cut.push(current);
  return cut;
}

export function pieceOf(tokens: readonly Token[]): Piece {
  return {
    balances: tokens.filter(({ type }) => type === "html_block").map(({ content }) => balance(content)),
    lines: linesOf(tokens),
  };
}

/**
 * Joins pieces into blocks. Raw HTML that opens an element keeps all pieces together until that element is closed. Each
 * block is yielded as soon as its pieces are available; `lines` is the number of lines of the whole page.
 */
export function* joinPieces<P extends Piece>(pieces: Iterable<P>, lines: number): Generator<Block<P>, void> {
  let previousEnd = 0;
  let current: P[] = [];
  let open = 0;
  for (const piece of pieces) {
    current.push(piece);
    for (const left of piece.balances) open = Math.max(0, open + left);
    if (open > 0) continue;
    const block = blockOf(current, previousEnd);
    current = [];
    previousEnd = block.end;
    yield block;
  }
  if (current.length > 0) yield { ...blockOf(current, previousEnd), end: lines };
}

/** The number of elements that a piece of HTML leaves open; negative if it closes more than it opens. */
function balance(html: string): number {
  let open = 0;
  for (const { name, isClosing, isSelfClosing } of tagsIn(html)) {
    if (!isVoid(name) && !isSelfClosing) open += isClosing ? -1 : 1;
  }
  return open;
}

function linesOf(tokens: readonly Token[]): Lines | null {
  let [first, end] = [Infinity, 0];
  for (const { map } of tokens) {
    if (map === null) continue;
    first = Math.min(first, map[0]);
    end = Math.max(end, map[1]);
  }
  return first === Infinity ? null : [first, end];
}

/** Builds a block whose lines never run backwards: footnotes are at the end although they are written earlier. */
function blockOf<P extends Piece>(pieces: P[], previousEnd: number): Block<P> {
  let [first, end] = [Infinity, previousEnd];
  for (const { lines } of pieces) {
    if (lines === null) continue;
    first = Math.min(first, lines[0]);
    end = Math.max(end, lines[1]);
  }
  return { pieces, line: first === Infinity ? previousEnd : Math.max(previousEnd, first), end };
}
