// The title of a page: its first heading, if that is of the first level and at the beginning. Metadata and a short text
// may precede it.
import { isFrontMatter, type RenderedBlock, type RenderedPage } from "../../markdown";

export interface TitledBlocks {
  /** The metadata above the text. */
  frontMatter: RenderedBlock | null;
  /** The blocks above the title. */
  lead: readonly RenderedBlock[];
  /** null if the page does not begin with a title. */
  title: RenderedBlock | null;
  body: readonly RenderedBlock[];
}

/** The longest HTML above a title. It is a part of the first screen, so that the title does not appear later. */
const MAX_LEAD = 2_000;

export function splitAtTitle({ blocks: all, outline }: Pick<RenderedPage, "blocks" | "outline">): TitledBlocks {
  const frontMatter = all[0] && isFrontMatter(all[0]) ? all[0] : null;
  const blocks = frontMatter === null ? all : all.slice(1);
  const [first] = outline;
  const at = first?.level === 1 ? blocks.findIndex(({ line }) => line === first.line) : -1;
  const title = blocks[at];
  const lead = blocks.slice(0, Math.max(0, at));
  if (first === undefined || title === undefined || lengthOf(lead) > MAX_LEAD) return { frontMatter, lead: [], title: null, body: blocks };
  const body = blocks.slice(at + 1);
  // A heading without contents is no title.
  if (first.text === "" && !title.html.includes("<img")) return { frontMatter, lead: [], title: null, body: [...lead, ...body] };
  return { frontMatter, lead, title, body };
}

function lengthOf(blocks: readonly RenderedBlock[]): number {
  return blocks.reduce((length, { html }) => length + html.length, 0);
}
