// The title of a page: its first visible block if that is a heading of the first level. Metadata may precede it.
import type { RenderedBlock, RenderedPage } from "../../markdown";

export interface TitledBlocks {
  /** The blocks above the title: metadata, and blocks that show nothing. */
  lead: readonly RenderedBlock[];
  /** null if the page has no title of its own. */
  title: RenderedBlock | null;
  body: readonly RenderedBlock[];
}

const METADATA = '<pre class="front-matter">';

export function splitAtTitle({ blocks, outline }: Pick<RenderedPage, "blocks" | "outline">): TitledBlocks {
  const at = blocks.findIndex(({ html }) => html.trim() !== "" && !html.startsWith(METADATA));
  const title = blocks[at];
  const [first] = outline;
  if (title === undefined || first?.level !== 1 || first.line !== title.line) return { lead: [], title: null, body: blocks };
  return { lead: blocks.slice(0, at), title, body: blocks.slice(at + 1) };
}
