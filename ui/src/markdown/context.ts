// What the rules must know of the page that they work on. It travels in markdown-it's `env`, one for each run.
import type { Env } from "markdown-it";
import { SPARE_CELLS } from "./bounds";
import { SlugBook } from "./slug";
import type { PageWords } from "./words";

/** A heading, as the table of contents lists it. */
export interface OutlineEntry {
  level: number;
  /** Without markup. */
  text: string;
  /** The fragment that leads to it. */
  slug: string;
  /** Where it stands in the source, from 0. */
  line: number;
}

export interface PageContext {
  readonly path: string;
  readonly words: PageWords;
  readonly slugs: SlugBook;
  readonly outline: OutlineEntry[];
  /** The lines of the tasks that can be ticked, in the order of their boxes. */
  readonly tasks: number[];
  /** How many mentions stay text, as there are too many footnotes. */
  notesLeftOut: number;
  /** How many empty cells tables may still be filled up with. */
  spareCells: number;
  /** Of the source, once a rule has asked for them. */
  lines?: string[];
}

/** The title of a page: its first heading of the first level, as the server finds it; null where there is none. */
export function titleOf(outline: readonly OutlineEntry[]): string | null {
  return outline.find(({ level }) => level === 1)?.text || null;
}

const KEY = Symbol("page");

/** A fresh environment for one run over the page `path`. */
export function pageEnv(path: string, words: PageWords): Env {
  return { [KEY]: { path, words, slugs: new SlugBook(), outline: [], tasks: [], notesLeftOut: 0, spareCells: SPARE_CELLS } satisfies PageContext };
}

/** The page of a run. */
export function pageOf(env: Env | undefined): PageContext {
  const page = env?.[KEY];
  if (page === undefined) throw new Error("BUG: Markdown was parsed without pageEnv()");
  return page as PageContext;
}
