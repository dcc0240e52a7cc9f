// The part of a page that an embed shows: all of it, a section, or a block with an id.
import { decodePath, detectLanguage, ID_PREFIX, namedBlock, type PageWords, PageRenderer, slugify, titleOf, trustedHtml, wikiUrl } from "../../markdown";

export interface PagePart {
  content: DocumentFragment;
  /** The title in the text of the page; null if it has none. */
  title: string | null;
  language: string;
}

/** Returns the displayed part; null if the page has no such part. It can be read, and its tasks can't be ticked. */
export function partOfPage(source: string, path: string, fragment: string, words: PageWords): PagePart | null {
  const { blocks, outline } = new PageRenderer(path, words).render(source);
  const name = decodePath(fragment);
  const isBlock = name.startsWith("^");
  const lines = isBlock || name === "" ? [0, Infinity] : sectionOf(outline, name);
  const [first = 0, end = 0] = lines ?? [];
  const template = document.createElement("template");
  template.innerHTML = trustedHtml(blocks.filter(({ line }) => line >= first && line < end).map(({ html }) => html).join(""));
  const { content } = template;
  if (lines === null || (isBlock && !reduceToBlock(content, name))) return null;
  if (name === "") removeTitle(content);
  detach(content, path);
  return { content, title: titleOf(outline), language: detectLanguage(source) ?? "" };
}

/** Returns the lines of a section, from its heading to the next one of its level. */
function sectionOf(outline: readonly { level: number; text: string; slug: string; line: number }[], name: string): [number, number] | null {
  // Obsidian writes the headings around a section before it.
  const last = name.slice(name.lastIndexOf("#") + 1);
  const at = outline.findIndex(({ slug, text }) => slug === last || text === last || slug === slugify(last));
  const heading = outline[at];
  if (heading === undefined) return null;
  const next = outline.slice(at + 1).find(({ level }) => level <= heading.level);
  return [heading.line, next?.line ?? Infinity];
}

/** Leaves only the block with this id; false if there is none. */
function reduceToBlock(content: DocumentFragment, id: string): boolean {
  const named = [...content.querySelectorAll<HTMLElement>("[id]")].find((element) => element.id === ID_PREFIX + id);
  if (named === undefined) return false;
  const block = namedBlock(named);
  const list = block.localName === "li" ? block.parentElement?.cloneNode() : undefined;
  if (list instanceof Element) list.append(block);
  content.replaceChildren(list ?? block);
  return true;
}

/** The link above the embed has the title already. */
function removeTitle(content: DocumentFragment): void {
  for (const metadata of content.querySelectorAll(".front-matter")) metadata.remove();
  const first = content.firstElementChild;
  if (first?.localName === "h1") first.remove();
}

/** Removes what belongs to the page itself: anchors, tasks that can be ticked, and links within the page. */
function detach(content: DocumentFragment, path: string): void {
  for (const anchor of content.querySelectorAll("a.anchor")) anchor.remove();
  for (const box of content.querySelectorAll("[data-task]")) box.removeAttribute("data-task");
  for (const named of content.querySelectorAll("[id]")) named.removeAttribute("id");
  for (const link of content.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
    link.dataset["wikiPath"] = path;
    link.setAttribute("href", wikiUrl(path) + (link.getAttribute("href") ?? ""));
  }
}
