// Another name for a file of a page, in the text of that page. Destinations are sought in the source, and each change
// is checked in the rendered page: an example in a block of code keeps the old name.
import { UsesCounter } from "../../markdown/links/asset-uses";
import { readDestination } from "../../markdown/links/destination";
import { percentEncoded } from "../addresses/percent-encoded";

export interface FileRename {
  from: string;
  to: string;
}

/** A destination, with the mark before it. A definition and an HTML attribute are included. */
const DESTINATION = /(?:\]\([ \t\n]*(<?)|\]:[ \t]*(<?)|\b(?:src|href)[ \t]*=[ \t]*(["']))asset:/gi;
/** `![[name|…]]`. */
const EMBED = /!\[\[([^`<>$\\:^[\]|\n]+)((?:\\?\|[^`<>$\\:^[\]\n]*)?)\]\]/g;
const EMBEDDABLE = /^[^`<>$\\:^[\]|\n]+\.(?:png|jpe?g|gif|webp|avif|svg|bmp|tiff?|jxl|heic)$/i;
/** Characters that Markdown or HTML would misread in an address. */
const SPECIAL = /[\s%()<>\\?#&"'`|]/gu;

interface Change {
  start: number;
  end: number;
  text: string;
}

/** Returns the text with the new name wherever it shows or links to the file; null if it does so nowhere. */
export function renameFileInText(text: string, path: string, rename: FileRename): string | null {
  const changes = [...destinations(text, path, rename), ...embeds(text, rename)].sort((a, b) => a.start - b.start);
  if (changes.length === 0) return null;
  const counter = new UsesCounter(path);
  const uses = (source: string, name: string) => counter.count(source).get(name) ?? 0;
  const before = uses(text, rename.from);
  if (before === 0) return null;
  const all = apply(text, changes);
  // As many changes as uses: none of them is an example.
  if (changes.length === before && uses(all, rename.from) === 0) return all;
  const real = changes.filter((change) => uses(apply(text, [change]), rename.from) < before);
  return real.length === 0 ? null : apply(text, real);
}

function apply(text: string, changes: readonly Change[]): string {
  let [result, at] = ["", 0];
  for (const { start, end, text: inserted } of changes) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

function destinations(text: string, path: string, { from, to }: FileRename): Change[] {
  return [...text.matchAll(DESTINATION)].flatMap((match): Change[] => {
    const start = match.index + match[0].length - "asset:".length;
    const written = text.slice(start, endOf(text, start, match[1] ?? match[2] ?? match[3] ?? ""));
    const target = readDestination(written.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("&amp;", "&"), path);
    if (target.kind !== "asset" || target.path !== path || target.file !== from) return [];
    const nameAt = Math.max(written.lastIndexOf("/"), written.indexOf(":")) + 1;
    const tail = /[?#]/.exec(written.slice(nameAt))?.index;
    const end = tail === undefined ? written.length : nameAt + tail;
    return [{ start: start + nameAt, end: start + end, text: percentEncoded(to, SPECIAL) }];
  });
}

/** Returns the end of a destination that an angle bracket, a quote or nothing opens. */
function endOf(text: string, start: number, opener: string): number {
  const close = opener === "<" ? ">" : opener;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (mark === "\n" || mark === close) return at;
    if (mark === "\\") at += 1;
    else if (close === "" && /\s/.test(mark)) return at;
    else if (close === "" && mark === "(") depth += 1;
    else if (close === "" && mark === ")") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return text.length;
}

/** A name that cannot be embedded becomes a picture with a destination. */
function embeds(text: string, { from, to }: FileRename): Change[] {
  return [...text.matchAll(EMBED)].flatMap((match): Change[] => {
    const [whole, written = "", more = ""] = match;
    const name = written.slice(written.lastIndexOf("/") + 1).trim();
    if (name !== from || written.startsWith("/")) return [];
    const changed = EMBEDDABLE.test(to) ? `![[${to}${more}]]` : `![${more.replace(/^\\?\|(?!\d)/, "")}](asset:${percentEncoded(to, SPECIAL)})`;
    return [{ start: match.index, end: match.index + whole.length, text: changed }];
  });
}
