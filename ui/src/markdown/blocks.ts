// Cuts a parsed page into its top-level blocks, each with the lines that it comes from.
import type { Token } from "markdown-it";

export interface TokenBlock {
  tokens: Token[];
  /** First line in the source, from 0. */
  line: number;
  /** The line after the last. */
  end: number;
}

const TAG = /<(\/?)([a-z][a-z0-9-]*)\b[^>]*?(\/?)>|<!--[\s\S]*?(?:-->|$)/gi;
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** Raw HTML that opens an element keeps all blocks together until that element is closed again. */
export function splitBlocks(tokens: readonly Token[], lines: number): TokenBlock[] {
  const blocks: TokenBlock[] = [];
  let current: Token[] = [];
  let depth = 0;
  let open = 0;
  for (const token of tokens) {
    current.push(token);
    depth += token.nesting;
    if (token.type === "html_block") open = Math.max(0, open + balance(token.content));
    if (depth > 0 || open > 0) continue;
    blocks.push(blockOf(current, blocks.at(-1)?.end ?? 0));
    current = [];
  }
  if (current.length > 0) blocks.push({ ...blockOf(current, blocks.at(-1)?.end ?? 0), end: lines });
  return blocks;
}

/** How many elements a piece of HTML leaves open; negative when it closes more than it opens. */
function balance(html: string): number {
  let open = 0;
  for (const [, closing, name, selfClosing] of html.matchAll(TAG)) {
    if (name === undefined || VOID.has(name.toLowerCase()) || selfClosing === "/") continue;
    open += closing === "/" ? -1 : 1;
  }
  return open;
}

/** Footnotes stand at the end although they are written earlier: lines never run backwards. */
function blockOf(tokens: Token[], previousEnd: number): TokenBlock {
  const maps = tokens.flatMap((token) => (token.map === null ? [] : [token.map]));
  const first = maps.length === 0 ? previousEnd : Math.min(...maps.map(([start]) => start));
  return {
    tokens,
    line: Math.max(previousEnd, first),
    end: Math.max(previousEnd, ...maps.map(([, stop]) => stop)),
  };
}
