// What a rendered page becomes once it is on the screen: code gets its colours, formulas are set, diagrams drawn.
// Each is fetched when a page first needs it; until then, and where it fails, the source is there to be read.
import type { Drawing } from "./diagrams";
import { Lazy } from "./lazy";
import { onThemeChange, readLook } from "./look";

export interface LiveWords {
  /** The name of a diagram's picture; its source follows for whoever can't see it. */
  diagram: string;
  diagramFailed: (reason: string) => string;
  mathFailed: (reason: string) => string;
}

const code = new Lazy(() => import("./code"));
const math = new Lazy(() => import("./math"));
const diagrams = new Lazy(() => import("./diagrams"));

const CODE = 'pre > code[class*="language-"]:not([data-live])';
const MATH = ".math:not([data-live])";
const DIAGRAM = ".diagram";
/** How small a drawing is made at most, where there is no room for it. */
const LEGIBLE = 0.75;

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
  constructor(
    private readonly words: () => LiveWords,
    private readonly signal: AbortSignal,
  ) {
    onThemeChange(() => void this.#drawAll(document), signal);
  }

  /** Again after each change: what is done already stays. Only ever changes what is inside of top-level blocks. */
  async enliven(root: ParentNode): Promise<void> {
    // By then everything else has its place: asked now, the browser would have to find the places for this alone.
    requestAnimationFrame(() => makeReachable(root.querySelectorAll<HTMLElement>("pre, .table-scroll, .diagram")));
    await Promise.all([this.#colourAll(root), this.#setAll(root), this.#drawAll(root)]);
  }

  async #colourAll(root: ParentNode): Promise<void> {
    const found = [...root.querySelectorAll<HTMLElement>(CODE)].filter((element) => !element.closest(DIAGRAM));
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

  async #drawAll(root: ParentNode): Promise<void> {
    const found = [...root.querySelectorAll<HTMLElement>(DIAGRAM)];
    if (found.length === 0) return;
    const { draw, drawnBefore } = diagrams.now ?? (await diagrams.load());
    for (const box of found) {
      const source = box.querySelector("pre")?.textContent ?? "";
      if (this.signal.aborted || !box.isConnected) continue;
      const look = readLook(box);
      const state = JSON.stringify(look);
      if (box.dataset["live"] === state) continue;
      box.dataset["live"] = state;
      try {
        const drawing = drawnBefore(source, look) ?? (await draw(source, look));
        if (box.dataset["live"] === state) this.#show(box, drawing);
      } catch (error) {
        this.#fail(box, error instanceof Error ? error.message : String(error));
      }
    }
  }

  #show(box: HTMLElement, { url, width, height }: Drawing): void {
    const picture = document.createElement("img");
    picture.src = url;
    picture.width = width;
    picture.height = height;
    picture.style.minWidth = `${String(Math.round(width * LEGIBLE))}px`;
    picture.alt = this.words().diagram;
    this.#fill(box, picture);
    const source = box.querySelector("pre");
    source?.classList.add("visually-hidden");
    source?.removeAttribute("tabindex");
    requestAnimationFrame(() => makeReachable([box]));
  }

  #fail(box: HTMLElement, reason: string): void {
    const text = document.createElement("p");
    text.className = "diagram-failed";
    text.textContent = this.words().diagramFailed(reason);
    this.#fill(box, text);
    box.querySelector("pre")?.classList.remove("visually-hidden");
  }

  /** Before the source, in place of what stood there. */
  #fill(box: HTMLElement, element: HTMLElement): void {
    for (const old of box.querySelectorAll(":scope > :not(pre)")) old.remove();
    box.prepend(element);
  }
}

/** What scrolls by itself must be reached by keys too. */
function makeReachable(elements: Iterable<HTMLElement>): void {
  for (const element of elements) {
    if (element.scrollWidth > element.clientWidth && element.clientWidth > 0) element.tabIndex = 0;
  }
}
