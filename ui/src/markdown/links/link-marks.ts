// Marks on links and pictures whose destinations are resolved, for the views to act upon.
import type { Destination } from "./destination";
import { addressOf } from "./destination";
import type { PageWords } from "../page-words";

const MAX_ADDRESS_LENGTH = 120;

/**
 * Marks a link: a page gets `data-wiki-path` (or `data-page-id`), an external address `data-external`. A destination
 * without a meaning is not a link.
 */
export function markLink(link: HTMLAnchorElement, destination: Destination): void {
  switch (destination.kind) {
    case "page":
      link.setAttribute("href", addressOf(destination) ?? "");
      link.dataset["wikiPath"] = destination.path;
      break;
    case "page-id":
      // Only the server knows the path. The view that shows the page requests it and fills in the address.
      link.removeAttribute("href");
      link.dataset["pageId"] = destination.id;
      link.dataset["tail"] = destination.tail;
      break;
    case "external":
      link.setAttribute("href", destination.url);
      link.setAttribute("rel", "noopener noreferrer");
      link.dataset["external"] = "";
      break;
    case "asset":
    case "fragment":
      link.setAttribute("href", addressOf(destination) ?? "");
      break;
    case "inert":
      link.replaceWith(inert(link));
  }
}

/**
 * Shows files of pages. Any other picture is named and never fetched, so that reading a page reveals nothing to a third
 * party.
 */
export function markPicture(picture: HTMLImageElement, destination: Destination, words: PageWords): void {
  if (destination.kind === "asset") {
    picture.setAttribute("src", addressOf(destination) ?? "");
    picture.setAttribute("loading", "lazy");
    picture.setAttribute("decoding", "async");
    return;
  }
  const { ownerDocument: document } = picture;
  const box = document.createElement("span");
  box.className = "picture-outside";
  const label = document.createElement("span");
  label.textContent = destination.kind === "external" ? words.remotePicture : words.unknownPicture;
  box.append(label, part(document, "b", picture.getAttribute("alt")), part(document, "code", sourceOf(picture, destination)));
  // A picture within a link can't contain another link.
  if (destination.kind === "external" && words.openPicture !== undefined && picture.closest("a") === null) {
    box.append(outsideLink(document, destination.url, words.openPicture));
  }
  picture.replaceWith(box);
}

/** Creates a link that is followed like every external link: after a question, and not by this page. */
function outsideLink(document: Document, url: string, text: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = text;
  link.rel = "noopener noreferrer";
  link.dataset["external"] = "";
  return link;
}

function inert(link: HTMLAnchorElement): HTMLElement {
  const text = link.ownerDocument.createElement("span");
  text.className = "link-inert";
  const title = link.getAttribute("title");
  if (title !== null) text.title = title;
  text.append(...link.childNodes);
  return text;
}

/** Returns the address in readable form. An address that contains the whole picture is truncated. */
function sourceOf(picture: HTMLImageElement, destination: Destination): string {
  const source = destination.kind === "external" ? destination.url : (picture.getAttribute("src") ?? "");
  return source.length <= MAX_ADDRESS_LENGTH ? source : `${source.slice(0, MAX_ADDRESS_LENGTH)}…`;
}

function part(document: Document, tag: string, text: string | null): HTMLElement | string {
  if (text === null || text === "") return "";
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
