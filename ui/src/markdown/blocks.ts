// The top-level blocks of a parsed page, each with the lines that it comes from. A piece is what one rule of the parser
// has made at the top level; most blocks are one piece, raw HTML may hold several together.
import type { Token } from "markdown-it";
import { isVoid, tagsIn } from "./tags";

/** What must be known of a piece to put blocks together. */
export interface Piece {
  /** How many elements each part of raw HTML in it leaves open, in their order. */
  balances: readonly number[];
  /** From its first line to the one after its last, from 0; null where its tokens know of none. */
  lines: Lines | null;
}

export type Lines = readonly [first: number, end: number];

export interface Block<P> {
  pieces: P[];
  /** First line in the source, from 0. */
  line: number;
  /** The line after the last. */
  end: number;
}

/** Cuts tokens where one thing ends at the top level and the next begins. */
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
 * Raw HTML that opens an element keeps all pieces together until that element is closed again. Each block comes as soon
 * as its pieces are there; `lines` are those of the whole page.
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

/** How many elements a piece of HTML leaves open; negative when it closes more than it opens. */
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

/** Footnotes stand at the end although they are written earlier: lines never run backwards. */
function blockOf<P extends Piece>(pieces: P[], previousEnd: number): Block<P> {
  let [first, end] = [Infinity, previousEnd];
  for (const { lines } of pieces) {
    if (lines === null) continue;
    first = Math.min(first, lines[0]);
    end = Math.max(end, lines[1]);
  }
  return { pieces, line: first === Infinity ? previousEnd : Math.max(previousEnd, first), end };
}
