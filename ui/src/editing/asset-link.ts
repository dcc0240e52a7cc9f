// The Markdown that shows a page's file, or links to it.
import { percentEncoded } from "./percent-encoded";

/** A file of the page that is being written. */
export interface PageFile {
  name: string;
  isPicture: boolean;
}

/** What a reader of Markdown would take for something else in an address. */
const SPECIAL = /[\s%()<>\\?#&"'`|]/gu;
/** The same in a text. An underscore within a word is just one. */
const MARKS = /[\\[\]*`<&~!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

export function assetLink({ name, isPicture }: PageFile): string {
  const address = `asset:${assetAddress(name)}`;
  return isPicture ? `![](${address})` : `[${name.replace(MARKS, "\\$&")}](${address})`;
}

/** A file's name as an address holds it: readable, with only that encoded which must be. */
export function assetAddress(name: string): string {
  return percentEncoded(name, SPECIAL);
}
