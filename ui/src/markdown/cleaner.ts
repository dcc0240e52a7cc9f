// Cleans the blocks of a page, again and again while it changes. Cleaning is what costs, so what a block was cleaned
// to is kept under what it was made of; a block that no longer occurs is forgotten.
import { sanitize, sanitizeAll } from "./sanitize";
import type { PageWords } from "./words";

/** HTML as markdown-it has written it. */
export interface Drawn {
  raw: string;
  /** Whether HTML is in it that a person wrote. */
  hasHtml: boolean;
}

/** A top-level block, before it is cleaned. */
export interface DrawnBlock extends Drawn {
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
  #kept = new Map<string, string>();

  constructor(
    readonly path: string,
    readonly words: PageWords,
  ) {}

  clean(blocks: readonly DrawnBlock[]): RenderedBlock[] {
    const clean = this.#cleanAll(blocks);
    this.#kept = clean;
    return blocks.map(({ raw, line, end }) => ({ html: clean.get(raw) ?? "", line, end }));
  }

  /** What each is cleaned to: known from before, or cleaned now. */
  #cleanAll(blocks: readonly Drawn[]): Map<string, string> {
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
