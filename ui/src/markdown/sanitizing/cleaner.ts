// Cleans the blocks of a page repeatedly while it changes. Cleaning is expensive, so each result is cached by its
// input. The result of a block that no longer occurs is dropped.
import { sanitize, sanitizeAll } from "./sanitize";
import type { PageWords } from "../page-words";

/** HTML as markdown-it writes it. */
export interface RawHtml {
  raw: string;
  /** True if it contains raw HTML from the page's author. */
  hasHtml: boolean;
}

/** A top-level block, before it is cleaned. */
export interface RawBlock extends RawHtml {
  line: number;
  end: number;
}

/** A top-level block of a page. */
export interface RenderedBlock {
  html: string;
  /** Its lines in the source: the first, from 0, and the one after the last. */
  line: number;
  end: number;
}

export class Cleaner {
  #outputs = new Map<string, string>();

  constructor(
    readonly path: string,
    readonly words: PageWords,
  ) {}

  clean(blocks: readonly RawBlock[]): RenderedBlock[] {
    const clean = this.#cleanAll(blocks);
    this.#outputs = clean;
    return blocks.map(({ raw, line, end }) => ({ html: clean.get(raw) ?? "", line, end }));
  }

  /** Returns the clean HTML of each block, from the cache or newly cleaned. */
  #cleanAll(blocks: readonly RawHtml[]): Map<string, string> {
    const clean = new Map<string, string>();
    const plain = new Set<string>();
    for (const { raw, hasHtml } of blocks) {
      const cached = this.#outputs.get(raw);
      if (cached !== undefined) clean.set(raw, cached);
      else if (!hasHtml) plain.add(raw);
      else if (!clean.has(raw)) clean.set(raw, sanitize(raw, this.path, this.words));
    }
    if (plain.size === 0) return clean;
    const fresh = [...plain];
    sanitizeAll(fresh, this.path, this.words).forEach((html, index) => clean.set(fresh[index] ?? "", html));
    return clean;
  }
}
