// From a page's source to what the screen shows: clean HTML by top-level block, the outline, the language.
import type { Token } from "markdown-it";
import { splitBlocks } from "./blocks";
import { type OutlineEntry, pageEnv, pageOf } from "./context";
import { detectLanguage, type PageLanguage } from "./language";
import { createParser } from "./parser";
import { sanitize, sanitizeAll } from "./sanitize";
import type { PageWords } from "./words";

/** A top-level block of a page. */
export interface RenderedBlock {
  html: string;
  /** Its lines in the source: the first, from 0, and the one after the last. */
  line: number;
  end: number;
}

export interface RenderedPage {
  blocks: RenderedBlock[];
  outline: OutlineEntry[];
  /** The lines of the tasks that can be ticked; a box carries the place of its own in this list. */
  tasks: number[];
  language: PageLanguage;
}

const parser = createParser();

/**
 * Renders one page again and again while its source changes. Cleaning is what costs, so what a block was cleaned
 * to is kept under what it was made of; a block that no longer occurs is forgotten.
 */
export class PageRenderer {
  #kept = new Map<string, string>();

  constructor(
    readonly path: string,
    readonly words: PageWords,
  ) {}

  render(source: string): RenderedPage {
    const env = pageEnv(this.path);
    const tokens = parser.parse(source, env);
    const blocks = splitBlocks(tokens, source.split("\n").length).map(({ tokens: block, line, end }) => ({
      raw: parser.renderer.render(block, parser.options, env).trimEnd(),
      hasHtml: block.some(isRawHtml),
      line,
      end,
    }));
    this.#kept = this.#clean(blocks);
    const { outline, tasks } = pageOf(env);
    return {
      blocks: blocks.map(({ raw, line, end }) => ({ html: this.#kept.get(raw) ?? "", line, end })),
      outline,
      tasks,
      language: detectLanguage(source),
    };
  }

  /** What each block is cleaned to: known from before, or cleaned now. */
  #clean(blocks: readonly { raw: string; hasHtml: boolean }[]): Map<string, string> {
    const clean = new Map<string, string>();
    const plain = new Set<string>();
    for (const { raw, hasHtml } of blocks) {
      const known = this.#kept.get(raw);
      if (known !== undefined) clean.set(raw, known);
      else if (!hasHtml) plain.add(raw);
      else if (!clean.has(raw)) clean.set(raw, sanitize(raw, this.path, this.words));
    }
    if (plain.size === 0) return clean;
    const fresh = [...plain];
    sanitizeAll(fresh, this.path, this.words).forEach((html, index) => clean.set(fresh[index] ?? "", html));
    return clean;
  }
}

/** Whether a token holds HTML that a person wrote, itself or inside. */
function isRawHtml({ type, children }: Token): boolean {
  return type === "html_block" || type === "html_inline" || (children?.some(isRawHtml) ?? false);
}

/** Renders a page once. */
export function renderPage(source: string, path: string, words: PageWords): RenderedPage {
  return new PageRenderer(path, words).render(source);
}
