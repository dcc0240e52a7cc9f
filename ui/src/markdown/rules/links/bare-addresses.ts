// Turns bare web addresses in the text into links. They end at the last ASCII character, because Japanese continues
// without a blank: in 「https://example.org/を見る」 the link is only the address.
import type { MarkdownIt } from "markdown-it";

const ADDRESS = /^\/\/[A-Za-z0-9[][\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]*/;
const TRAILING = new Set("!'\"()*,.:;?]~_");

/** A markdown-it plugin. Only `http://` and `https://` make links; a word is never guessed to be a host. */
export function bareAddresses(md: MarkdownIt): void {
  md.set({ linkify: true });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const schema of ["ftp:", "//", "mailto:"]) md.linkify.add(schema, null);
  for (const schema of ["http:", "https:"]) md.linkify.add(schema, { validate });
}

function validate(text: string, position: number): number {
  const address = ADDRESS.exec(text.slice(position))?.[0];
  if (address === undefined) return 0;
  return endOf(address);
}

/**
 * Returns the end without trailing punctuation. A closing bracket belongs to the address if the address has opened it.
 */
function endOf(address: string): number {
  let end = address.length;
  while (TRAILING.has(address[end - 1] ?? "")) end -= 1;
  let open = 0;
  for (let at = 0; at < end; at++) open += address[at] === "(" ? 1 : address[at] === ")" ? -1 : 0;
  for (; open > 0 && address[end] === ")"; open--) end += 1;
  return end;
}
