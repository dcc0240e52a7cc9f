// The metadata above a page's text, as it is written: shown with the reason if it can't be read, so that nothing that was
// written is missing on the screen.
import type { RenderedBlock } from "../../markdown";

/** The lines between those of dashes. */
export function frontMatterText(text: string, { end }: RenderedBlock): string {
  const lines = text.split(/\r\n|\r|\n/).slice(1, end);
  const close = lines.findLastIndex((line) => /^---[ \t]*$/.test(line));
  return lines.slice(0, close).join("\n");
}
