// From a page's source to what the screen shows: clean HTML by top-level block, the outline, the language.
import { splitBlocks } from "./blocks";
import { type OutlineEntry, pageEnv, pageOf } from "./context";
import { detectLanguage, type PageLanguage } from "./language";
import { createParser } from "./parser";
import { sanitize } from "./sanitize";
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
    const kept = new Map<string, string>();
    const blocks = splitBlocks(tokens, source.split("\n").length).map(({ tokens: block, line, end }) => {
      const raw = parser.renderer.render(block, parser.options, env);
      const html = this.#kept.get(raw) ?? kept.get(raw) ?? sanitize(raw, this.path, this.words);
      kept.set(raw, html);
      return { html, line, end };
    });
    this.#kept = kept;
    return { blocks, outline: pageOf(env).outline, language: detectLanguage(source) };
  }
}

/** Renders a page once. */
export function renderPage(source: string, path: string, words: PageWords): RenderedPage {
  return new PageRenderer(path, words).render(source);
}
