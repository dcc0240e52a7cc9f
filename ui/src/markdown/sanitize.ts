// The last word on what a page may put on the screen: a strict list of elements and attributes (DOMPurify),
// then every link and picture is settled by what its address means.
import DOMPurify, { type Config } from "dompurify";
import { readAddress } from "./destination";
import { reportLeftOut } from "./left-out";
import { boundNesting, type BoundedHtml } from "./nesting";
import { settleLink, settlePicture } from "./settle";
import { TASK_SEAL } from "./tasks";
import type { PageWords } from "./words";

/** DOMPurify puts this before every `id`, so that no page can shadow the application's own. */
export const ID_PREFIX = "user-content-";

/** `body` is what DOMPurify reads a page into. Were it not allowed, all of the page would be copied for nothing. */
const TAGS =
  "a abbr b bdi bdo blockquote body br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure " +
  "h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup " +
  "table tbody td tfoot th thead time tr u ul var wbr";
const ATTRIBUTES =
  "alt aria-checked aria-disabled aria-hidden aria-label class colspan data-task datetime dir headers height href id lang open " +
  "reversed role rowspan scope src start tabindex title value width";

/** Classes that our own rules write; a page can't dress itself up as a part of the application. */
const CLASSES =
  /^(?:align-(?:left|center|right)|anchor|diagram|footnote-(?:backref|item|ref)|footnotes(?:-list|-sep)?|front-matter|gallery|language-[\w+#.-]+|left-out|link-inert|math|math-display|table-scroll|task|task-box)$/;

const CONFIG: Config = {
  ALLOWED_TAGS: TAGS.split(" "),
  ALLOWED_ATTR: ATTRIBUTES.split(" "),
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|page:|asset:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
};

/** Clean HTML for a block of the page `pagePath`. */
export function sanitize(html: string, pagePath: string, words: PageWords): string {
  const bounded = boundNesting(html);
  return contentsOf(cleanFragment(bounded.html, pagePath, words)) + reportOf(bounded, words);
}

/**
 * Clean HTML for many blocks, in the time that few take. Only for blocks that markdown-it has written alone: raw HTML
 * may leave elements open, and those would reach into the next block.
 */
export function sanitizeAll(blocks: readonly string[], pagePath: string, words: PageWords): string[] {
  const bounded = blocks.map(boundNesting);
  const fragment = cleanFragment(bounded.map(({ html }) => `<div>${html}</div>`).join(""), pagePath, words);
  const boxes = [...fragment.children];
  const isWhole = fragment.childNodes.length === blocks.length && boxes.every((box) => box.localName === "div");
  // A block that is not closed in itself after all: then each is cleaned by itself.
  if (!isWhole || boxes.length !== blocks.length) return blocks.map((html) => sanitize(html, pagePath, words));
  return bounded.map((block, index) => (boxes[index]?.innerHTML ?? "") + reportOf(block, words));
}

function reportOf({ isCut }: BoundedHtml, words: PageWords): string {
  return isCut ? reportLeftOut(words, { kind: "nesting" }) : "";
}

/** The fragment lives in a document without a window: nothing in it loads or runs while it is being settled. */
function cleanFragment(html: string, pagePath: string, words: PageWords): DocumentFragment {
  // Where nothing stands before it, a set of frames takes the place of all that the parser has read: then there is no
  // fragment, and it is read again as an element that means nothing.
  const fragment = purify(html) ?? purify(html.replace(/<(\/?)frameset\b/gi, "<$1x-frameset"));
  if (fragment === null) throw new Error("BUG: HTML was cleaned to nothing at all");
  for (const element of fragment.querySelectorAll<HTMLElement>("*")) restrain(element);
  // Without an address it only marks a place.
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    settleLink(link, readAddress(link.getAttribute("href") ?? "", pagePath));
  }
  for (const picture of fragment.querySelectorAll("img")) {
    settlePicture(picture, readAddress(picture.getAttribute("src") ?? "", pagePath), words);
  }
  return fragment;
}

function purify(html: string): DocumentFragment | null {
  return DOMPurify.sanitize(html, CONFIG) as unknown as DocumentFragment | null;
}

function contentsOf(fragment: DocumentFragment): string {
  const box = fragment.ownerDocument.createElement("div");
  box.append(fragment);
  return box.innerHTML;
}

/** Keeps of classes, roles and the order of focus what our own rules write. */
function restrain(element: HTMLElement): void {
  const classes = [...element.classList].filter((name) => CLASSES.test(name));
  if (element.dataset["task"]?.endsWith(`.${TASK_SEAL}`) === false) element.removeAttribute("data-task");
  if (classes.length === 0) element.removeAttribute("class");
  else element.className = classes.join(" ");
  if (element.getAttribute("role") !== "checkbox") element.removeAttribute("role");
  if (element.getAttribute("tabindex") !== "-1") element.removeAttribute("tabindex");
}
