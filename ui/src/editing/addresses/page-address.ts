// A page's path in a link: as readable as its place allows, and spelled as the server spells it
// (`crates/wiki/src/links/spelling.rs`), so that a save does not rewrite the link.
import { percentEncoded } from "./percent-encoded";

export type LinkForm = "wiki" | "plain";

/**
 * The start of a tail, a block id or an encoding, marks that bind tighter than a link, the end of a cell; blanks that would be
 * trimmed.
 */
const MISREAD = { wiki: /[%?#\\`<>[\]|$^]|\s+$/gu, plain: /[%?#\\`<>[\]|& (){}"'*!$^~]|\s+$/gu };

/** The address for a place between `[[` and `]]`, or between `](` and `)`. */
export function pageAddress(path: string, form: LinkForm): string {
  return percentEncoded(path, MISREAD[form]);
}
