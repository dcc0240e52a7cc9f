// Web addresses that stand in the text as they are become links. They end where plain ASCII ends, because
// Japanese goes on without a blank: in 「https://example.org/を見る」 the link is the address alone.
import type { MarkdownIt } from "markdown-it";

const ADDRESS = /^\/\/[A-Za-z0-9[][\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]*/;
const TRAILING = /[!'"()*,.:;?\]~_]+$/;

/** A markdown-it plugin: only with `http://` or `https://`, never by guessing that a word is a host. */
export function bareAddresses(md: MarkdownIt): void {
  md.set({ linkify: true });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const schema of ["ftp:", "//", "mailto:"]) md.linkify.add(schema, null);
  for (const schema of ["http:", "https:"]) md.linkify.add(schema, { validate });
}

function validate(text: string, position: number): number {
  const found = ADDRESS.exec(text.slice(position))?.[0];
  if (found === undefined) return 0;
  return closeBrackets(found, found.replace(TRAILING, "")).length;
}

/** A closing bracket at the end belongs to the address when the address has opened it. */
function closeBrackets(found: string, trimmed: string): string {
  let kept = trimmed;
  while (found[kept.length] === ")" && count(kept, "(") > count(kept, ")")) kept += ")";
  return kept;
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}
