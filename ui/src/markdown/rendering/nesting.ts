// Limits the depth of HTML before a browser parses it. The time for parsing, cleaning and layout grows with the depth,
// and the parser repeats elements that are closed in another order than they were opened.
import { DEEPEST } from "./bounds";
import { isVoid, type Tag, tagsIn } from "../tags";

/** The maximum number of repeated elements that are left to the browser's parser. */
const MAX_REPEATED = 1_000;

/** Elements that a browser reopens if a block around them ends before they do. */
const FORMATTING = setOf("a b big code em font i nobr s small strike strong tt u");
const BLOCKS = setOf(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr main menu nav ol p pre section summary table ul",
);
const CELLS = setOf("td th");
const ITEMS = setOf("dd dt");
const RUBY = setOf("rb rp rt rtc");
const ROWS = setOf("tbody td tfoot th thead tr");

/** The elements that an opening tag closes implicitly, and the elements that limit the search for them. */
const IMPLIED: ReadonlyMap<string, { closes: ReadonlySet<string>; within: ReadonlySet<string> }> = new Map([
  ["a", { closes: setOf("a"), within: setOf("td th caption table") }],
  ["li", { closes: setOf("li"), within: setOf("ol ul menu td th caption") }],
  ...[...ITEMS].map((name) => [name, { closes: ITEMS, within: setOf("dl td th caption") }] as const),
  ...[...CELLS].map((name) => [name, { closes: CELLS, within: setOf("table") }] as const),
  ["tr", { closes: setOf("td th tr"), within: setOf("table") }],
  ...["tbody", "thead", "tfoot"].map((name) => [name, { closes: ROWS, within: setOf("table") }] as const),
  ...[...RUBY].map((name) => [name, { closes: RUBY, within: setOf("ruby") }] as const),
  ...[...BLOCKS].map((name) => [name, { closes: setOf("p"), within: setOf("td th caption") }] as const),
]);

export interface BoundedHtml {
  html: string;
  /** True if elements were left out; their contents never are. */
  isCut: boolean;
}

export function boundNesting(html: string): BoundedHtml {
  return mayBeDeeplyNested(html) ? new NestingBound().apply(html) : { html, isCut: false };
}

/** False if there are too few tags for the maximum depth. */
function mayBeDeeplyNested(html: string): boolean {
  let count = 0;
  for (let at = html.indexOf("<"); at >= 0 && count <= DEEPEST; at = html.indexOf("<", at + 1)) count += 1;
  return count > DEEPEST;
}

class NestingBound {
  readonly #parts: string[] = [];
  /** The open elements, from the outermost one on. */
  #open: string[] = [];
  /** The formatting elements that were open at the end of a block. They are reopened by the next text. */
  #pending: string[] = [];
  /** The number of end tags of each name that still have to be left out. */
  readonly #leftOut = new Map<string, number>();
  #repeated = 0;
  #isCut = false;

  apply(html: string): BoundedHtml {
    let written = 0;
    for (const tag of tagsIn(html)) {
      if (tag.start > written) this.#text(html.slice(written, tag.start));
      written = tag.end;
      if (tag.isClosing ? this.#closes(tag) : this.#opens(tag)) this.#parts.push(html.slice(tag.start, tag.end));
    }
    this.#text(html.slice(written));
    return { html: this.#parts.join(""), isCut: this.#isCut };
  }

  #text(text: string): void {
    if (text.trim() !== "") this.#reopen();
    this.#parts.push(text);
  }

  /** Handles a start tag. True if the tag stays. */
  #opens({ name }: Tag): boolean {
    const implied = IMPLIED.get(name);
    const at = implied === undefined ? -1 : this.#firstOf(implied.closes, implied.within);
    if (at >= 0) this.#end(at);
    if (!isSpecial(name)) this.#reopen();
    if (isVoid(name)) return true;
    if (this.#open.length + this.#pending.length < DEEPEST) {
      this.#open.push(name);
      return true;
    }
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1);
    this.#isCut = true;
    return false;
  }

  /** Handles an end tag. True if the tag stays. */
  #closes({ name }: Tag): boolean {
    const leftOut = this.#leftOut.get(name) ?? 0;
    if (leftOut > 0) {
      this.#leftOut.set(name, leftOut - 1);
      return false;
    }
    const [at, pendingAt] = [this.#open.lastIndexOf(name), this.#pending.lastIndexOf(name)];
    if (pendingAt >= 0) this.#pending.splice(pendingAt, 1);
    else if (at >= 0) this.#end(at);
    return true;
  }

  /** Reopens the pending formatting elements, as the browser's parser does. */
  #reopen(): void {
    if (this.#pending.length === 0) return;
    this.#repeated += this.#pending.length;
    this.#open.push(...this.#pending);
    this.#pending = [];
  }

  /** Ends the element at `at` with its contents. A block in a formatting element continues without it. */
  #end(at: number): void {
    const [name = "", ...inner] = this.#open.splice(at);
    if (FORMATTING.has(name) && inner.some(isSpecial)) {
      this.#open.push(...inner);
      return;
    }
    this.#pending.push(...inner.filter((each) => FORMATTING.has(each)));
    if (this.#repeated <= MAX_REPEATED) return;
    for (const each of this.#pending.reverse()) this.#parts.push(`</${each}>`);
    this.#pending = [];
  }

  /** Returns the outermost open element of these; -1 if there is none. */
  #firstOf(names: ReadonlySet<string>, scope: ReadonlySet<string>): number {
    let index = -1;
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const name = this.#open[at] ?? "";
      if (names.has(name)) index = at;
      else if (scope.has(name)) break;
    }
    return index;
  }
}

/** True for elements that do not end with the formatting around them. */
function isSpecial(name: string): boolean {
  return BLOCKS.has(name) || ROWS.has(name) || ITEMS.has(name) || name === "li";
}

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
