// Printing a page: all of it, including parts that the screen shows on request only.

import { flushSync, tick } from "svelte";

/** The longest wait for pictures and galleries, in milliseconds; slower ones are missing on paper. */
const PATIENCE = 10_000;

/** Opens closed parts, and shows the targets of outside links; returns a function that reverts it. */
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

/** Resolves when all pictures have loaded or failed. */
async function picturesOf(article: HTMLElement): Promise<void> {
  const pictures = [...article.querySelectorAll("img")];
  for (const picture of pictures) picture.loading = "eager";
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
}

/** Resolves with the work, or after the time limit. */
function inTime(work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, PATIENCE))]);
}

/** Redraws parts in a dark theme's colours in light ones; returns a function that reverts it. */
function lighten(): () => void {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset["theme"] = "light";
  return () => {
    if (theme === undefined) delete dataset["theme"];
    else dataset["theme"] = theme;
  };
}

/** The parts of a page's view that printing uses. */
export interface PrintedView {
  article: () => HTMLElement | null;
  /** Renders the rest of a long page. */
  complete: () => void;
  /** Sets formulas, draws diagrams and fills galleries anywhere in the page. */
  activate: (article: HTMLElement) => Promise<void>;
  isLeft: () => boolean;
  /** Prints what is shown, and resolves when it may change again. */
  print: () => Promise<unknown>;
}

/** Prints a complete page, by the browser's command or by ours. */
export class Printing {
  #fold: (() => void) | null = null;

  constructor(private readonly view: PrintedView) {}

  /** Follows the browser's own command; returns a function that stops it. */
  listen(): () => void {
    const unfoldAll = () => {
      flushSync(() => this.view.complete());
      const article = this.view.article();
      if (article === null) return;
      this.#unfold(article);
      // The browser does not wait: missing parts are there when its preview is made again.
      void this.#ready(article);
    };
    const foldAgain = () => this.#foldAgain();
    window.addEventListener("beforeprint", unfoldAll);
    window.addEventListener("afterprint", foldAgain);
    return () => {
      window.removeEventListener("beforeprint", unfoldAll);
      window.removeEventListener("afterprint", foldAgain);
    };
  }

  #unfold(article: HTMLElement): void {
    this.#fold ??= unfold(article);
  }

  #foldAgain(): void {
    this.#fold?.();
    this.#fold = null;
  }

  /** The pictures come last: galleries and diagrams add some. */
  async #ready(article: HTMLElement): Promise<void> {
    await this.view.activate(article);
    await picturesOf(article);
  }

  /** Prints with everything that loads late: pictures, formulas, galleries, diagrams in the colours of paper. */
  async print(): Promise<void> {
    await this.complete(async () => {
      if (!this.view.isLeft()) await this.view.print();
    });
  }

  /** Works with the whole page, as it is printed; null if there is none. */
  async complete<T>(work: (article: HTMLElement) => Promise<T>): Promise<T | null> {
    this.view.complete();
    await tick();
    const article = this.view.article();
    if (article === null) return null;
    const darken = lighten();
    this.#unfold(article);
    try {
      await inTime(this.#ready(article));
      return await work(article);
    } finally {
      this.#foldAgain();
      darken();
    }
  }
}
