// The tags of raw HTML, found in one pass: enough to measure nesting. The browser's parser decides their meaning, and
// `sanitize.ts` decides which are allowed.

export interface Tag {
  /** The name in lower case. */
  name: string;
  isClosing: boolean;
  /** True for `<br/>`, as written. */
  isSelfClosing: boolean;
  start: number;
  /** The offset after its `>`. */
  end: number;
}

const NAME = /[a-z][^\s/>]*/iy;
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** True if an element never has an end tag. */
export function isVoid(name: string): boolean {
  return VOID.has(name);
}

/** Yields all tags in order, without comments. A tag that never ends is ignored, as in a browser. */
export function* tagsIn(html: string): Generator<Tag, void> {
  for (let at = html.indexOf("<"); at >= 0; ) {
    const next = html[at + 1];
    let end: number;
    if (next === "!" || next === "?") {
      end = endOfComment(html, at);
    } else {
      NAME.lastIndex = at + (next === "/" ? 2 : 1);
      const name = NAME.exec(html)?.[0];
      end = name === undefined ? at + 1 : endOfTag(html, NAME.lastIndex);
      if (name !== undefined && end > 0) {
        yield { name: name.toLowerCase(), isClosing: next === "/", isSelfClosing: html[end - 2] === "/", start: at, end };
      }
    }
    if (end <= 0) return;
    at = html.indexOf("<", end);
  }
}

/** Returns the offset after the comment that starts at `start`; 0 if it does not end. */
function endOfComment(html: string, start: number): number {
  const end = html.startsWith("<!--", start) ? "-->" : ">";
  return html.indexOf(end, start + 2) < 0 ? 0 : html.indexOf(end, start + 2) + end.length;
}

/** Returns the offset after the `>` of a tag, ignoring quoted values; 0 if there is none. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  let isValue = false;
  for (let at = from; at < html.length; at++) {
    const char = html[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") {
      return at + 1;
    } else if (isValue && (char === '"' || char === "'")) {
      [quote, isValue] = [char, false];
    } else if (!/\s/.test(char)) {
      isValue = char === "=";
    }
  }
  return 0;
}
