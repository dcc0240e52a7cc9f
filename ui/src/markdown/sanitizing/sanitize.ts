// The final filter for the contents of a page: an allowlist of elements and attributes (DOMPurify), after which every
// link and picture is resolved by the meaning of its address.
import DOMPurify, { type Config } from "dompurify";
import { readAddress } from "../links/destination";
import { reportOmission } from "../rendering/omissions";
import { boundNesting, type BoundedHtml } from "../rendering/nesting";
import { markLink, markPicture } from "../links/link-marks";
import { TASK_SEAL } from "../task-boxes";
import type { PageWords } from "../page-words";

/** The prefix that DOMPurify adds to every `id`, so that no page can shadow the application's own ids. */
export const ID_PREFIX = "user-content-";

/**
 * The allowed elements. DOMPurify parses a page into `body`: without it in the list, the whole page would be copied
 * needlessly.
 */
const TAGS =
  "a abbr b bdi bdo blockquote body br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure " +
  "h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup " +
  "table tbody td tfoot th thead time tr u ul var wbr";
const ATTRIBUTES =
  "alt aria-checked aria-disabled aria-hidden aria-label class colspan data-task datetime dir headers height href id lang open " +
  "reversed role rowspan scope src start tabindex title value width";

/** The classes that the Markdown rules write. A page can't imitate a part of the application. */
const CLASSES =
  /^(?:album|align-(?:left|center|right)|anchor|block-id|boxed|callout(?:-[a-z]+)?|diagram|embed(?:-box)?|footnote-(?:backref|item|ref)|footnotes(?:-list|-sep)?|front-matter|gallery|language-[\w+#.-]+|left-out|link-inert|math|math-display|page-list|table-scroll|tag|task|task-box)$/;

const TAG_LIST = /^\/search\?q=tag%3A[\w.%+-]*$/;

const CONFIG: Config = {
  ALLOWED_TAGS: TAGS.split(" "),
  ALLOWED_ATTR: ATTRIBUTES.split(" "),
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|page:|asset:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  // A name such as "call: tomorrow" is no address, and would be removed as one.
  ADD_URI_SAFE_ATTR: ["aria-label"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
};

/** Returns clean HTML for a block of the page `pagePath`. */
export function sanitize(html: string, pagePath: string, words: PageWords): string {
  const bounded = boundNesting(html);
  return contentsOf(cleanFragment(bounded.html, pagePath, words)) + reportOf(bounded, words);
}

/**
 * Returns clean HTML for many blocks, in the time that a few take. Only for blocks without raw HTML: that may leave
 * elements open, which would extend into the next block.
 */
export function sanitizeAll(blocks: readonly string[], pagePath: string, words: PageWords): string[] {
  const bounded = blocks.map(boundNesting);
  const fragment = cleanFragment(bounded.map(({ html }) => `<div>${html}</div>`).join(""), pagePath, words);
  const boxes = [...fragment.children];
  const isWhole = fragment.childNodes.length === blocks.length && boxes.every((box) => box.localName === "div");
  // If a block turns out not to be self-contained, each one is cleaned separately.
  if (!isWhole || boxes.length !== blocks.length) return blocks.map((html) => sanitize(html, pagePath, words));
  return bounded.map((block, index) => (boxes[index]?.innerHTML ?? "") + reportOf(block, words));
}

function reportOf({ isCut }: BoundedHtml, words: PageWords): string {
  return isCut ? reportOmission(words, { kind: "nesting" }) : "";
}

/**
 * Cleans HTML into a fragment. The fragment's document has no window: nothing in it loads or runs while it is
 * processed.
 */
function cleanFragment(html: string, pagePath: string, words: PageWords): DocumentFragment {
  // A frameset at the very start replaces everything that the parser has read. There is no fragment in that case, and
  // the text is parsed again with the frameset as an unknown element.
  const fragment = purify(html) ?? purify(html.replace(/<(\/?)frameset\b/gi, "<$1x-frameset"));
  if (fragment === null) throw new Error("BUG: HTML was cleaned to nothing at all");
  for (const element of fragment.querySelectorAll<HTMLElement>("*")) restrain(element);
  // A link without an address is only an anchor.
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    // The list of a tag's pages is an address of the application.
    if (link.className === "tag" && TAG_LIST.test(link.getAttribute("href") ?? "")) continue;
    markLink(link, readAddress(link.getAttribute("href") ?? "", pagePath));
  }
  for (const picture of fragment.querySelectorAll("img")) {
    markPicture(picture, readAddress(picture.getAttribute("src") ?? "", pagePath), words);
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

/** Removes classes, roles and tab indexes that the Markdown rules do not write. */
function restrain(element: HTMLElement): void {
  const classes = [...element.classList].filter((name) => CLASSES.test(name));
  if (element.dataset["task"]?.endsWith(`.${TASK_SEAL}`) === false) element.removeAttribute("data-task");
  if (classes.length === 0) element.removeAttribute("class");
  else element.className = classes.join(" ");
  if (element.getAttribute("role") !== "checkbox") element.removeAttribute("role");
  if (element.getAttribute("tabindex") !== "-1") element.removeAttribute("tabindex");
}
