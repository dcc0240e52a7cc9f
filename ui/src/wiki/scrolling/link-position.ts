// Stores the link by which a page was left in its own entry of the browser's history: going back focuses it.

interface LinkState {
  link: { href: string; /** Among the links with this address. */ index: number };
}

export class LinkPosition {
  #waiting: MutationObserver | null = null;

  /** `kept` and `keep` read and store it in the entry, which the view does not change itself: changes are counted. */
  constructor(
    private readonly kept: () => object | null,
    private readonly keep: (state: LinkState) => void,
  ) {}

  note(article: HTMLElement, link: HTMLAnchorElement): void {
    const href = link.getAttribute("href") ?? "";
    this.keep({ link: { href, index: linksTo(article, href).indexOf(link) } });
  }

  /**
   * Focuses the link by which this entry was left. If the link, or its address, appears later, waits for it until the
   * focus is elsewhere.
   */
  restore(article: HTMLElement): void {
    const saved = (this.kept() as Partial<LinkState> | null)?.link;
    if (saved === undefined) return;
    const focus = () => {
      const link = linksTo(article, saved.href)[saved.index];
      if (link !== undefined && isFocusFree()) focusInPlace(link);
      if (link !== undefined || !isFocusFree()) this.stop();
    };
    this.stop();
    this.#waiting = new MutationObserver(focus);
    this.#waiting.observe(article, { childList: true, subtree: true, attributeFilter: ["href"] });
    focus();
  }

  stop(): void {
    this.#waiting?.disconnect();
    this.#waiting = null;
  }
}

function linksTo(article: HTMLElement, href: string): HTMLAnchorElement[] {
  return [...article.querySelectorAll<HTMLAnchorElement>("a[href]")].filter((link) => link.getAttribute("href") === href);
}

/** True if no particular element has the focus: the frame gives it to the whole view. */
function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.id === "main";
}

/** The page keeps its scroll position; a gallery's own list is scrolled as far as needed. */
function focusInPlace(link: HTMLAnchorElement): void {
  link.focus({ preventScroll: true });
  const list = link.closest(".gallery > ul");
  if (list === null) return;
  const below = link.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  if (below > 0) list.scrollTop += below;
}
