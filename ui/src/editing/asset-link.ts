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

/** The beginning of a picture without an alternative text, and what follows where one can be written. */
export function emptyPicture(name: string): [string, string] {
  return ["![", assetLink({ name, isPicture: true }).slice(2)];
}

/** A text on one line, as it stands in brackets. */
export function bracketed(text: string): string {
  return text.trim().replace(/\s+/gu, " ").replace(MARKS, "\\$&");
}

/** A file's name as an address holds it: readable, with only that encoded which must be. */
export function assetAddress(name: string): string {
  return percentEncoded(name, SPECIAL);
}
