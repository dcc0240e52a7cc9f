// The parser's work in four parts, so that a page can be parsed piece by piece. The first, which finds the blocks, is
// quick and must see all of the page: what a link means may stand in its last line. The others see one piece at a time.
import type { Env, MarkdownIt, StateCore, Token } from "markdown-it";
import { createParser } from "./parser";

type Rule = (state: StateCore) => void;

/** Each with its rules in their order. */
interface Stages {
  md: MarkdownIt;
  /** All of the others, in their order. */
  all: Rule[];
  /** Finds the blocks of the whole page. */
  blocks: Rule[];
  /** Parses what stands in the lines of a piece, and counts the footnotes that it mentions. */
  lines: Rule[];
  /** Puts the footnotes together. */
  footnotes: Rule[];
  /** Everything else: links, anchors, tasks. */
  rest: Rule[];
}

export type Stage = Exclude<keyof Stages, "md">;

const BLOCKS = ["normalize", "block", "strip_references"];
const LINES = ["inline"];
const FOOTNOTES = ["footnote_tail"];

const stages = makeStages();

function makeStages(): Stages {
  const md = createParser();
  const { ruler } = md.core;
  const all = ruler.getRules("");
  ruler.disable([...BLOCKS, ...LINES, ...FOOTNOTES]);
  const rest = ruler.getRules("");
  const only = (names: string[]) => {
    ruler.enableOnly(names);
    return ruler.getRules("");
  };
  return { md, all, rest, blocks: only(BLOCKS), lines: only(LINES), footnotes: only(FOOTNOTES) };
}

/** Runs one stage over the page `src`, or over the `tokens` of a piece of it. */
export function runStage(stage: Stage, src: string, env: Env, tokens: Token[] = []): StateCore {
  const { md, [stage]: rules } = stages;
  const state = new md.core.State(src, md, env);
  state.tokens = tokens;
  for (const rule of rules) rule(state);
  return state;
}

/** The HTML of tokens that have gone through all stages. */
export function draw(tokens: Token[], env: Env): string {
  const { md } = stages;
  return md.renderer.render(tokens, md.options, env);
}
