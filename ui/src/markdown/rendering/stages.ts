// The four stages of the parser, so that a page can be parsed in pieces. The first stage finds the blocks. It is fast
// and must see the whole page, as the last line may define a link. The others process one piece at a time.
import type { Env, MarkdownIt, StateCore, Token } from "markdown-it";
import { createParser } from "./parser";

type Rule = (state: StateCore) => void;

/** The rules of each stage, in order. */
interface Stages {
  md: MarkdownIt;
  /** The rules of all stages, in order. */
  all: Rule[];
  /** Finds the blocks of the whole page. */
  blocks: Rule[];
  /** Parses the inline text of a piece, and counts the footnotes that it mentions. */
  lines: Rule[];
  /** Assembles the footnotes. */
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

/** Returns the HTML of tokens that have passed all stages. */
export function draw(tokens: Token[], env: Env): string {
  const { md } = stages;
  return md.renderer.render(tokens, md.options, env);
}
