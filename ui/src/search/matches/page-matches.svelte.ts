// The highlighted matches in the page that is read, and the current one of them.
import { findTexts, type FindOptions, MAX_MATCHES } from "./text-matches";

const ALL = "found";
const CURRENT = "found-current";

/** WebKit before 2.42 has no highlights: there, the current match is selected. */
const highlights = () => ("highlights" in CSS ? CSS.highlights : null);

export class PageMatches {
  places = $state.raw<readonly Range[]>([]);
  at = $state(0);

  /** The number of matches in words; "1000+" if there may be more. */
  get total(): string {
    return this.places.length === MAX_MATCHES ? `${MAX_MATCHES}+` : String(this.places.length);
  }

  /** Finds the matches again; the page is drawn by another component, and may be redrawn at any time. */
  find(texts: readonly string[], options?: FindOptions): void {
    const article = articleOf();
    if (article === null) return;
    this.places = findTexts(texts, article, options);
    this.at = Math.min(this.at, Math.max(0, this.places.length - 1));
    this.#draw();
  }

  /** Makes the first match current that is visible, or below. */
  start(): void {
    const first = this.places.findIndex((place) => place.getBoundingClientRect().bottom > 0);
    this.at = Math.max(0, first);
    this.#draw();
  }

  go(step: number): void {
    const count = this.places.length;
    if (count === 0) return;
    this.at = (this.at + step + count) % count;
    this.#draw();
    this.show();
  }

  /** Scrolls to the current match, and opens closed parts around it. */
  show(): void {
    const element = this.places[this.at]?.startContainer.parentElement;
    for (let closed = element?.closest("details:not([open])"); closed; closed = closed.parentElement?.closest("details:not([open])")) {
      (closed as HTMLDetailsElement).open = true;
    }
    element?.dispatchEvent(new Event("reveal", { bubbles: true }));
    element?.scrollIntoView({ block: "center" });
  }

  /** Calls back after each change of the page; returns a function that stops it, and removes the highlights. */
  follow(onchange: () => void): () => void {
    let looking = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(looking);
      looking = requestAnimationFrame(onchange);
    });
    const main = document.getElementById("main");
    if (main !== null) observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(looking);
      highlights()?.delete(ALL);
      highlights()?.delete(CURRENT);
    };
  }

  #draw(): void {
    const current = this.places[this.at];
    const all = highlights();
    if (all === null) {
      if (current !== undefined) select(current);
      return;
    }
    all.set(ALL, new Highlight(...this.places));
    all.set(CURRENT, new Highlight(...(current ? [current] : [])));
  }
}

function articleOf(): Element | null {
  return (document.getElementById("main") ?? document).querySelector("article.reading");
}

function select({ startContainer, startOffset, endContainer, endOffset }: Range): void {
  getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
}
