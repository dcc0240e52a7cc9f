// What links and pictures become once their destination is understood: marks that the rooms act upon.
import type { Destination } from "./destination";
import { addressOf } from "./destination";
import type { PageWords } from "./words";

const LONGEST_ADDRESS = 120;

/** A page gets `data-wiki-path` (or `data-page-id`), the outside `data-external`; what leads nowhere is no link. */
export function settleLink(link: HTMLAnchorElement, destination: Destination): void {
  switch (destination.kind) {
    case "page":
      link.setAttribute("href", addressOf(destination) ?? "");
      link.dataset["wikiPath"] = destination.path;
      break;
    case "page-id":
      // Its path is known to the server alone; the room that shows the page asks and fills in the address.
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

/** Files of pages are shown; anything else is named and never fetched, so that reading a page tells nobody. */
export function settlePicture(picture: HTMLImageElement, destination: Destination, words: PageWords): void {
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
  // A picture that is a link already holds no other.
  if (destination.kind === "external" && words.openPicture !== undefined && picture.closest("a") === null) {
    box.append(outsideLink(document, destination.url, words.openPicture));
  }
  picture.replaceWith(box);
}

/** Followed like every link to the outside: after a question, and not by this page. */
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

/** The address as a person can read it; one that carries the whole picture is cut. */
function sourceOf(picture: HTMLImageElement, destination: Destination): string {
  const source = destination.kind === "external" ? destination.url : (picture.getAttribute("src") ?? "");
  return source.length <= LONGEST_ADDRESS ? source : `${source.slice(0, LONGEST_ADDRESS)}…`;
}

function part(document: Document, tag: string, text: string | null): HTMLElement | string {
  if (text === null || text === "") return "";
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
