// What a rendered page becomes once it is on the screen: code gets its colours, formulas are set, diagrams drawn, folders shown.
// Each is fetched when a page first needs it; until then, and where it fails, the source is there to be read.
import { DiagramBoxes, type DiagramWords } from "./diagram-boxes";
import { type GalleryBackend, GalleryBoxes } from "./gallery-boxes";
import { Lazy } from "./lazy";
import { onThemeChange } from "./look";
import { makeReachable } from "./reachable";
import type { SeenSizes } from "./seen-sizes";

export interface LiveWords extends DiagramWords {
  mathFailed: (reason: string) => string;
}

const code = new Lazy(() => import("./code"));
const math = new Lazy(() => import("./math"));

const CODE = 'pre > code[class*="language-"]:not([data-live])';
const MATH = ".math:not([data-live])";
const BOXED = ".diagram, .gallery";

/** A page that is read waits so long for what sets its formulas, in milliseconds; later, they take their places late. */
const PATIENCE = 250;
const FORMULA = 'class="math';

/** What the text of a page needs to have its places from the first; null where all of it is there. */
export function partsOf({ blocks }: { blocks: readonly { html: string }[] }): Promise<void> | null {
  if (math.now !== null || !blocks.some(({ html }) => html.includes(FORMULA))) return null;
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
  // Where it does not come, the formula's own text stays, as it would without this.
  const come = math.load().then(
    () => {},
    () => {},
  );
  return Promise.race([come, patience]);
}

export class Enlivener {
  readonly #diagrams: DiagramBoxes;
  readonly #galleries: GalleryBoxes;

  /** `sizes` remembers how large diagrams and folders are; without it no room is left for the ones, and as much as they may take for the others. */
  constructor(
    private readonly words: () => LiveWords,
    signal: AbortSignal,
    backend: GalleryBackend,
    sizes: SeenSizes | null = null,
  ) {
    this.#galleries = new GalleryBoxes(backend, signal, sizes);
    this.#diagrams = new DiagramBoxes(words, signal, sizes);
    onThemeChange(() => void this.#diagrams.drawAll(document), signal);
  }

  /** Before it is painted, also where it is not whole yet: what comes to life later has its place. */
  makeRoom(root: ParentNode): void {
    this.#diagrams.makeRoom(root);
    this.#galleries.makeRoom(root);
  }

  /** Again after each change: what is done already stays. Only ever changes what is inside of top-level blocks. */
  async enliven(root: ParentNode): Promise<void> {
    this.#galleries.show(root);
    // By then everything else has its place: asked now, the browser would have to find the places for this alone.
    requestAnimationFrame(() => makeReachable(root.querySelectorAll<HTMLElement>("pre, .table-scroll, .diagram")));
    await Promise.all([this.#colourAll(root), this.#setAll(root), this.#diagrams.drawAll(root)]);
  }

  /** The same, with what is otherwise left until it comes near the view. */
  async enlivenAll(root: ParentNode): Promise<void> {
    await Promise.all([this.enliven(root), this.#galleries.drawAll(root)]);
  }

  async #colourAll(root: ParentNode): Promise<void> {
    const found = [...root.querySelectorAll<HTMLElement>(CODE)].filter((element) => !element.closest(BOXED));
    if (found.length === 0) return;
    const { colour, colourNow } = code.now ?? (await code.load());
    for (const element of found) {
      if (element.dataset["live"] !== undefined) continue;
      element.dataset["live"] = "";
      const language = /(?:^| )language-(\S+)/.exec(element.className)?.[1]?.toLowerCase() ?? "";
      if (!colourNow(element, language)) await colour(element, language);
    }
  }

  async #setAll(root: ParentNode): Promise<void> {
    const found = [...root.querySelectorAll<HTMLElement>(MATH)];
    if (found.length === 0) return;
    const { set } = math.now ?? (await math.load());
    for (const element of found) {
      if (element.dataset["live"] !== undefined) continue;
      const reason = set(element);
      element.dataset["live"] = reason === null ? "done" : "failed";
      if (reason !== null) element.title = this.words().mathFailed(reason);
    }
  }
}
