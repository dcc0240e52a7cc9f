// The facts about the current page that the rules need. They travel in markdown-it's `env`, one for each run.
import type { Env } from "markdown-it";
import { SPARE_CELLS } from "./bounds";
import { SlugBook } from "../slug";
import type { PageWords } from "../page-words";

/** A heading, as the table of contents lists it. */
export interface OutlineEntry {
  level: number;
  /** The text without markup. */
  text: string;
  /** The fragment that leads to the heading. */
  slug: string;
  /** The line of the heading in the source, from 0. */
  line: number;
}

export interface PageContext {
  readonly path: string;
  readonly words: PageWords;
  readonly slugs: SlugBook;
  readonly outline: OutlineEntry[];
  /** The lines of the tasks that can be ticked, in the order of their boxes. */
  readonly tasks: number[];
  /** The number of mentions that stay text because there are too many footnotes. */
  notesLeftOut: number;
  /** The number of mentions of footnotes. */
  mentions: number;
  /** The number of mentions that stay text because there are too many of them. */
  mentionsLeftOut: number;
  /** The number of empty cells that may still pad tables. */
  spareCells: number;
  /** The lines of the source, once a rule has requested them. */
  lines?: string[];
}

/** Returns the title of a page: its first level-one heading, as on the server; null if there is none. */
export function titleOf(outline: readonly OutlineEntry[]): string | null {
  return outline.find(({ level }) => level === 1)?.text || null;
}

const KEY = Symbol("page");

/** Creates the environment for one run over the page `path`. */
export function pageEnv(path: string, words: PageWords): Env {
  return { [KEY]: { path, words, slugs: new SlugBook(), outline: [], tasks: [], notesLeftOut: 0, mentions: 0, mentionsLeftOut: 0, spareCells: SPARE_CELLS } satisfies PageContext };
}

/** Returns the page of a run. */
export function pageOf(env: Env | undefined): PageContext {
  const page = env?.[KEY];
  if (page === undefined) throw new Error("BUG: Markdown was parsed without pageEnv()");
  return page as PageContext;
}
