// A preview of the page to which a link leads, while the pointer rests on the link or the keyboard has moved to it.
import type { Backend } from "../../api/backend";
import { decodePath, nameOfPage, type PageWords } from "../../markdown";
import { partOfPage } from "../embeds/page-part";
import "./link-preview.css";

/** The time until a preview appears, in milliseconds. */
const DELAY = 450;
/** The time for which it stays after the pointer has left, so that the pointer can move into it. */
const LINGER = 200;
const MAX_LENGTH = 600;
const GAP = 6;
const MARGIN = 12;
const LINK = "article.reading a:is([data-wiki-path], [data-page-id]):not(.none, .trashed, .anchor)";

export interface LinkPreviewOptions {
  pages: Backend["pages"];
  words: () => PageWords;
  /** The name of the top page if it has no title. */
  topName: () => string;
}

interface Excerpt {
  title: string;
  text: string;
  language: string;
}

export class LinkPreview {
  #link: HTMLAnchorElement | null = null;
  #element: HTMLElement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: AbortController | null = null;

  constructor(private readonly options: LinkPreviewOptions) {}

  /** Follows the links in an element; returns a function that stops it. */
  listen(root: HTMLElement): () => void {
    const listening = new AbortController();
    const { signal } = listening;
    root.addEventListener("pointerover", (event) => this.#onpoint(event), { signal });
    root.addEventListener("pointerout", ({ pointerType }) => (pointerType === "touch" ? undefined : this.#closeSoon()), { signal });
    root.addEventListener("focusin", ({ target }) => this.#onfocus(target as Element), { signal });
    root.addEventListener("focusout", () => this.#close(), { signal });
    root.addEventListener("pointerdown", () => this.#close(), { signal });
    window.addEventListener("scroll", ({ target }) => target !== this.#element && this.#close(), { signal, capture: true, passive: true });
    window.addEventListener("keydown", (event) => this.#onkey(event), { signal, capture: true });
    return () => {
      listening.abort();
      this.#close();
    };
  }

  #onpoint({ target, pointerType }: PointerEvent): void {
    const link = pointerType === "touch" ? null : linkOf(target as Element);
    if (link === null) return;
    if (link === this.#link) clearTimeout(this.#element === null ? undefined : this.#timer);
    else this.#openSoon(link);
  }

  #onfocus(target: Element): void {
    const link = linkOf(target);
    // A click moves the focus, too.
    if (link?.matches(":focus-visible") === true) this.#openSoon(link);
  }

  /** Escape closes the preview, and nothing else. */
  #onkey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || this.#element === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.#close();
  }

  #openSoon(link: HTMLAnchorElement): void {
    this.#close();
    this.#link = link;
    this.#timer = setTimeout(() => void this.#open(link), DELAY);
  }

  #closeSoon(): void {
    clearTimeout(this.#timer);
    if (this.#element === null) this.#close();
    else this.#timer = setTimeout(() => this.#close(), LINGER);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#loading?.abort();
    this.#element?.remove();
    this.#link?.removeAttribute("aria-describedby");
    [this.#link, this.#element, this.#loading] = [null, null, null];
  }

  async #open(link: HTMLAnchorElement): Promise<void> {
    const { signal } = (this.#loading = new AbortController());
    // Without an answer there is no preview; following the link shows the error.
    const excerpt = await this.#excerptOf(link, signal).catch(() => null);
    if (excerpt === null || signal.aborted || !link.isConnected) return;
    const element = elementOf(excerpt);
    element.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    element.addEventListener("pointerleave", () => this.#closeSoon());
    document.body.append(element);
    place(element, link);
    link.setAttribute("aria-describedby", element.id);
    this.#element = element;
  }

  async #excerptOf(link: HTMLAnchorElement, signal: AbortSignal): Promise<Excerpt | null> {
    const { pages, words, topName } = this.options;
    const { wikiPath, pageId = "" } = link.dataset;
    const path = wikiPath ?? (await pages.path(pageId, signal));
    const { id, revision } = await pages.resolve(path, signal);
    const { text } = await pages.source(id, revision, signal);
    const fragment = link.hash.slice(1);
    const part = partOfPage(text, path, fragment, words()) ?? partOfPage(text, path, "", words());
    if (part === null) return null;
    const lines = [...part.content.children].map((block) => block.textContent.replace(/\s+/g, " ").trim()).filter((line) => line !== "");
    const tail = fragment === "" ? "" : ` › ${decodePath(fragment)}`;
    return { title: (part.title ?? (nameOfPage(path) || topName())) + tail, text: lines.join("\n").slice(0, MAX_LENGTH), language: part.language };
  }
}

function linkOf(target: Element): HTMLAnchorElement | null {
  return target.closest<HTMLAnchorElement>(LINK);
}

function elementOf({ title, text, language }: Excerpt): HTMLElement {
  const element = document.createElement("div");
  element.className = "link-preview";
  element.id = "link-preview";
  element.role = "tooltip";
  element.dataset["testid"] = "link-preview";
  if (language !== "") element.lang = language;
  const [heading, lines] = [document.createElement("b"), document.createElement("p")];
  [heading.textContent, lines.textContent] = [title, text];
  element.append(heading, ...(text === "" ? [] : [lines]));
  return element;
}

/** Places the preview below the link, or above it if there is more room. */
function place(element: HTMLElement, link: HTMLElement): void {
  // A link of several lines: beside its first one.
  const line = link.getClientRects()[0] ?? link.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const below = line.bottom + GAP;
  const fits = below + height <= innerHeight - MARGIN || line.top < innerHeight - line.bottom;
  element.style.top = `${fits ? below : Math.max(MARGIN, line.top - GAP - height)}px`;
  element.style.left = `${Math.max(MARGIN, Math.min(line.left, innerWidth - width - MARGIN))}px`;
}
