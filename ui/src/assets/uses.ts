// How often a page's text names its own files.
import { readDestination } from "../markdown/destination";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BACKTICKS = /`+/g;
/** In angle brackets, or up to what ends a destination; parentheses come in pairs. */
const ASSET = /<(asset:[^<>\n]+)>|(asset:(?:[^\s<>()"']|\([^\s<>()"']*\))+)/gi;

/** How often each file of the page at `path` is named; files that are not named are not in it. */
export function usesIn(text: string, path: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const [, bracketed, bare] of withoutCode(text).matchAll(ASSET)) {
    const target = readDestination(bracketed ?? bare ?? "", path);
    if (target.kind !== "asset" || target.path !== path) continue;
    uses.set(target.file, (uses.get(target.file) ?? 0) + 1);
  }
  return uses;
}

function withoutCode(text: string): string {
  let fence: string | null = null;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null) {
      fence = mark ?? null;
      return fence === null;
    }
    const closes = mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (closes) fence = null;
    return false;
  });
  return withoutCodeSpans(lines.join("\n"));
}

/** A span ends at the next run of as many backticks as it begins with; where there is none, they are text. */
function withoutCodeSpans(text: string): string {
  const runs = [...text.matchAll(BACKTICKS)].map(({ index, 0: { length } }) => ({ index, length }));
  const lastOf = new Map(runs.map(({ length }, run) => [length, run]));
  let kept = "";
  let from = 0;
  for (let run = 0; run < runs.length; run++) {
    const { index, length } = runs[run] ?? { index: 0, length: 0 };
    if ((lastOf.get(length) ?? 0) <= run) continue;
    kept += text.slice(from, index);
    do run += 1;
    while (runs[run]?.length !== length);
    from = (runs[run]?.index ?? 0) + length;
  }
  return kept + text.slice(from);
}
