// A page on paper: all of it, with what a screen shows only when it is asked for.

import { flushSync, tick } from "svelte";

/** Pictures and galleries that take longer are missing on paper, in milliseconds. */
const PATIENCE = 10_000;

/** Shows what is closed, and where links outside lead; returns how to take that back. */
function unfold(article: HTMLElement): () => void {
  const closed = [...article.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const details of closed) details.open = true;
  for (const link of article.querySelectorAll<HTMLAnchorElement>("a[data-external]")) {
    const isSpelledOut = link.textContent.replace(/\/$/, "") === link.href.replace(/\/$/, "");
    if (!isSpelledOut) link.dataset["printed"] = link.href.replace(/^mailto:/, "");
  }
  return () => {
    for (const details of closed) details.open = false;
    for (const link of article.querySelectorAll<HTMLElement>("a[data-printed]")) delete link.dataset["printed"];
  };
}

/** Resolves when all pictures are there, or have failed. */
async function picturesOf(article: HTMLElement): Promise<void> {
  const pictures = [...article.querySelectorAll("img")];
  for (const picture of pictures) picture.loading = "eager";
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
}

/** Resolves with the work, or when it takes longer than the patience. */
function inTime(work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, PATIENCE))]);
}

/** Has what is drawn in the colours of a dark theme drawn in light ones; returns how to take that back. */
function lighten(): () => void {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset["theme"] = "light";
  return () => {
    if (theme === undefined) delete dataset["theme"];
    else dataset["theme"] = theme;
  };
}

/** What printing needs of the view of a page. */
export interface PrintedView {
  article: () => HTMLElement | null;
  /** Renders the rest of a long page. */
  complete: () => void;
  /** Sets formulas, draws diagrams and fills galleries, wherever in the page they are. */
  enliven: (article: HTMLElement) => Promise<void>;
  isLeft: () => boolean;
}

/** Prints a page whole, however that is asked for. */
export class Printing {
  #fold: (() => void) | null = null;

  constructor(private readonly view: PrintedView) {}

  /** Follows the browser's own command; returns how to stop that. */
  listen(): () => void {
    const unfoldAll = () => {
      flushSync(() => this.view.complete());
      const article = this.view.article();
      if (article === null) return;
      this.#fold ??= unfold(article);
      // The browser doesn't wait: what has not come yet is there when its preview is made again.
      void this.#ready(article);
    };
    const foldAgain = () => {
      this.#fold?.();
      this.#fold = null;
    };
    window.addEventListener("beforeprint", unfoldAll);
    window.addEventListener("afterprint", foldAgain);
    return () => {
      window.removeEventListener("beforeprint", unfoldAll);
      window.removeEventListener("afterprint", foldAgain);
    };
  }

  /** The pictures come last: galleries and diagrams bring some. */
  async #ready(article: HTMLElement): Promise<void> {
    await this.view.enliven(article);
    await picturesOf(article);
  }

  /** Prints with everything that takes a moment to come: pictures, formulas, galleries, diagrams in the colours of paper. */
  async print(): Promise<void> {
    this.view.complete();
    await tick();
    const article = this.view.article();
    if (article === null) return;
    const darken = lighten();
    try {
      await inTime(this.#ready(article));
      if (!this.view.isLeft()) window.print();
    } finally {
      darken();
    }
  }
}
