// The conversion of a page's source to its display: clean HTML by top-level block, the outline, the language.
import type { Token } from "markdown-it";
import { type Block, cutTokens, joinPieces, type Piece, pieceOf } from "./blocks";
import type { Cleaner, RawBlock, RawHtml, RenderedBlock } from "../sanitizing/cleaner";
import { type OutlineEntry, pageEnv, pageOf } from "./context";
import type { PageLanguage } from "../language";
import { draw, runStage } from "./stages";

export type { RenderedBlock } from "../sanitizing/cleaner";

/** The parts of a page that come from its Markdown. */
export interface RenderedText {
  blocks: RenderedBlock[];
  outline: OutlineEntry[];
  /** The lines of the tasks that can be ticked. A box carries its task's index in this list. */
  tasks: number[];
}

export interface RenderedPage extends RenderedText {
  language: PageLanguage;
}

/** Renders a page at once. `PageRenderer` renders the same in pieces. */
export function renderText(source: string, cleaner: Cleaner): RenderedText {
  const env = pageEnv(cleaner.path, cleaner.words);
  const pieces = cutTokens(runStage("all", source, env).tokens).map((tokens) => ({
    ...pieceOf(tokens),
    raw: draw(tokens, env),
    hasHtml: tokens.some(isRawHtml),
  }));
  const blocks = [...joinPieces(pieces, source.split("\n").length)].map(drawnBlock);
  const { outline, tasks } = pageOf(env);
  return { blocks: cleaner.clean(blocks), outline, tasks };
}

/** Returns a block as markdown-it writes it. */
export function drawnBlock({ pieces, line, end }: Block<Piece & RawHtml>): RawBlock {
  const raw = pieces.map((piece) => piece.raw).join("").trimEnd();
  return { raw, hasHtml: pieces.some((piece) => piece.hasHtml), line, end };
}

/** True if a token is raw HTML of the author, or contains some. */
export function isRawHtml({ type, children }: Token): boolean {
  return type === "html_block" || type === "html_inline" || (children?.some(isRawHtml) ?? false);
}
