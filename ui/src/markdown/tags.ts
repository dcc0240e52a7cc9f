// The tags of raw HTML, found in one pass: enough to count what stands within what. What they mean, the browser's parser
// decides, and what is let through, `sanitize.ts`.

export interface Tag {
  /** In lower case. */
  name: string;
  isClosing: boolean;
  /** `<br/>`, as it is written. */
  isSelfClosing: boolean;
  start: number;
  /** Behind its `>`. */
  end: number;
}

const NAME = /[a-z][^\s/>]*/iy;
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** Whether an element never has an end tag. */
export function isVoid(name: string): boolean {
  return VOID.has(name);
}

/** All tags in their order, comments left out. What begins a tag and never ends it is none, as for a browser. */
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

/** Behind the comment that begins at `start`; 0 where it does not end. */
function endOfComment(html: string, start: number): number {
  const end = html.startsWith("<!--", start) ? "-->" : ">";
  return html.indexOf(end, start + 2) < 0 ? 0 : html.indexOf(end, start + 2) + end.length;
}

/** Behind the `>` of a tag, not counting those in quoted values; 0 where there is none. */
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
