// The Markdown that shows a page's file, or links to it.
import { percentEncoded } from "../addresses/percent-encoded";

/** A file of the edited page. */
export interface PageFile {
  name: string;
  isPicture: boolean;
}

/** Characters that a Markdown parser would misread in an address. */
const SPECIAL = /[\s%()<>\\?#&"'`|]/gu;
/** Characters that it would misread in a text. An underscore within a word is plain. */
const MARKS = /[\\[\]*`<&~!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

export function assetLink({ name, isPicture }: PageFile): string {
  const address = `asset:${assetAddress(name)}`;
  return isPicture ? `![](${address})` : `[${name.replace(MARKS, "\\$&")}](${address})`;
}

/** The start of a picture without an alternative text, and the rest after the position of that text. */
export function emptyPicture(name: string): [string, string] {
  return ["![", assetLink({ name, isPicture: true }).slice(2)];
}

/** A text on one line, escaped for brackets. */
export function bracketed(text: string): string {
  return text.trim().replace(/\s+/gu, " ").replace(MARKS, "\\$&");
}

/** A file's name as an address: readable, with only the necessary characters encoded. */
export function assetAddress(name: string): string {
  return percentEncoded(name, SPECIAL);
}
