// A page's path as a link holds it: as readable as its place allows, and spelled as the server spells it
// (`crates/wiki/src/links/spelling.rs`), so that a save does not write the link anew.
import { percentEncoded } from "./percent-encoded";

export type LinkForm = "wiki" | "plain";

/** The beginning of a tail or of an encoding, marks that bind tighter than a link, the end of a cell; blanks that would be cut off. */
const MISREAD = { wiki: /[%?#\\`<>[\]|]|\s+$/gu, plain: /[%?#\\`<>[\]|& (){}"'*!$^~]|\s+$/gu };

/** Between `[[` and `]]`, or between `](` and `)`. */
export function pageAddress(path: string, form: LinkForm): string {
  return percentEncoded(path, MISREAD[form]);
}
