// The steps after a rendered page is on the screen: code is highlighted, formulas are set, diagrams are drawn and
// folders are shown. The code of each step is fetched when a page first needs it. Until then, and if that fails, the
// source is readable.
import { DiagramBoxes, type DiagramWords } from "./diagrams/diagram-boxes";
import { GalleryBoxes } from "./gallery-boxes";
import type { SourceBackend } from "./gallery-source";
import { Lazy } from "./lazy";
import type { PageListPlace } from "../fences/page-list-options";
import type { PageListBackend, PageLists } from "./page-lists";
import { onThemeChange } from "./diagrams/diagram-theme";
import { makeKeyboardScrollable } from "./keyboard-scroll";
import type { SizeMemory } from "./size-memory";

export interface LiveWords extends DiagramWords {
  mathFailed: (reason: string) => string;
}

const code = new Lazy(() => import("./code"));
const math = new Lazy(() => import("./math"));

const PAGE_LIST = ".page-list:not([data-live])";
const CODE = 'pre > code[class*="language-"]:not([data-live])';
const MATH = ".math:not([data-live])";
const pageLists = new Lazy(() => import("./page-lists"));
const BOXED = ".diagram, .gallery, .page-list";

/**
 * The maximum wait for the code that sets formulas before a page is shown, in milliseconds. After that, formulas move
 * the text when they are set.
 */
const PATIENCE = 250;
const FORMULA = 'class="math';

/** Loads the code that the text of a page needs for a stable layout; null if it is already loaded. */
export function partsOf({ blocks }: { blocks: readonly { html: string }[] }): Promise<void> | null {
  if (math.now !== null || !blocks.some(({ html }) => html.includes(FORMULA))) return null;
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
  // If it fails to load, the formula's own text stays, as it would without this wait.
  const loaded = math.load().then(
    () => {},
    () => {},
  );
  return Promise.race([loaded, patience]);
}

export class LiveRenderer {
  readonly #diagrams: DiagramBoxes;
  readonly #galleries: GalleryBoxes;
  #pageLists: PageLists | null = null;

  /**
   * Creates the steps. `sizes` stores the sizes of diagrams and folders. Without it diagrams get no placeholder, and
   * folders get their maximum size.
   */
  constructor(
    private readonly words: () => LiveWords,
    private readonly signal: AbortSignal,
    private readonly backend: SourceBackend & PageListBackend,
    private readonly sizes: SizeMemory | null = null,
    /** The page with the text; lists of pages may refer to it. */
    private readonly place: () => PageListPlace = () => ({ path: "/", id: null }),
  ) {
    this.#galleries = new GalleryBoxes(backend, signal, sizes);
    this.#diagrams = new DiagramBoxes(words, signal, sizes);
    onThemeChange(() => void this.#diagrams.drawAll(document), signal);
  }

  /** Reserves space before the page is painted, even if the page is incomplete, so that later steps move nothing. */
  reserveSpace(root: ParentNode): void {
    this.#diagrams.reserveSpace(root);
    this.#galleries.reserveSpace(root);
    for (const box of root.querySelectorAll<HTMLElement>(PAGE_LIST)) {
      const height = this.sizes?.get(`pages ${box.querySelector("code")?.textContent ?? ""}`)?.height;
      if (height !== undefined) box.style.minHeight = `${height}px`;
    }
  }

  /**
   * Runs the steps; called again after each change. Finished elements stay. Only the insides of top-level blocks
   * change.
   */
  async activate(root: ParentNode): Promise<void> {
    this.#galleries.show(root);
    // The layout is complete by then. An earlier query would force the browser to compute it just for this.
    requestAnimationFrame(() => makeKeyboardScrollable(root.querySelectorAll<HTMLElement>("pre, .table-scroll, .diagram")));
    await Promise.all([this.#colourAll(root), this.#setAll(root), this.#diagrams.drawAll(root), this.#listPages(root)]);
  }

  async #listPages(root: ParentNode): Promise<void> {
    if (root.querySelector(PAGE_LIST) === null) return;
    const { PageLists } = pageLists.now ?? (await pageLists.load());
    if (this.signal.aborted) return;
    this.#pageLists ??= new PageLists(this.backend, this.signal, this.place, this.sizes);
    await this.#pageLists.show(root);
  }

  /** Runs the steps, including those that are otherwise deferred until they come near the view. */
  async activateAll(root: ParentNode): Promise<void> {
    await Promise.all([this.activate(root), this.#galleries.drawAll(root)]);
  }

  async #colourAll(root: ParentNode): Promise<void> {
    const elements = [...root.querySelectorAll<HTMLElement>(CODE)].filter((element) => !element.closest(BOXED));
    if (elements.length === 0) return;
    const { colour, colourNow } = code.now ?? (await code.load());
    for (const element of elements) {
      if (element.dataset["live"] !== undefined) continue;
      element.dataset["live"] = "";
      const language = /(?:^| )language-(\S+)/.exec(element.className)?.[1]?.toLowerCase() ?? "";
      if (!colourNow(element, language)) await colour(element, language);
    }
  }

  async #setAll(root: ParentNode): Promise<void> {
    const elements = [...root.querySelectorAll<HTMLElement>(MATH)];
    if (elements.length === 0) return;
    const { set } = math.now ?? (await math.load());
    for (const element of elements) {
      if (element.dataset["live"] !== undefined) continue;
      const reason = set(element);
      element.dataset["live"] = reason === null ? "done" : "failed";
      if (reason !== null) element.title = this.words().mathFailed(reason);
    }
  }
}
