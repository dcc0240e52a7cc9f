// The boxes of a page in which diagrams are drawn. Until then a box holds the source, or a placeholder of the size that
// the drawing had when it was last seen. If drawing fails, it shows the source and the error.
import type * as Diagrams from "./diagrams";
import { Lazy } from "../lazy";
import { DrawingBudget, DrawingTooLong, isTooLarge } from "./drawing-budget";
import { readFont, readDiagramTheme } from "./diagram-theme";
import { makeKeyboardScrollable } from "../keyboard-scroll";
import type { SizeMemory, Size } from "../size-memory";

const diagrams = new Lazy(() => import("./diagrams"));

/** The smallest scale of a drawing that does not fit. */
const LEGIBLE = 0.75;
const SPACE_CLASS = "diagram-room";
/** The diagrams that are drawn as wide as the window. */
const AS_WIDE = /^[ \t]*gantt\b/m;

export interface DiagramWords {
  /** The name of a diagram's picture. Its source follows for screen readers. */
  diagram: string;
  diagramFailed: (reason: string) => string;
  /** The reason why a diagram is not drawn. */
  diagramTooLarge: () => string;
}

export class DiagramBoxes {
  /**
   * Creates the boxes. `sizes` stores the sizes of drawings; null if most drawings change with the next typed letter.
   */
  constructor(
    private readonly words: () => DiagramWords,
    private readonly signal: AbortSignal,
    private readonly sizes: SizeMemory | null,
  ) {}

  /** Adds placeholders to new boxes, before they are painted. */
  reserveSpace(root: ParentNode): void {
    for (const box of findBoxes(root)) {
      if (box.dataset["live"] !== undefined) continue;
      const size = this.sizes?.get(nameOf(box)) ?? null;
      if (size !== null) fill(box, spaceOf(size), "source hidden");
    }
  }

  /** Draws all diagrams, and redraws those whose look has changed. */
  async drawAll(root: ParentNode): Promise<void> {
    const boxes = findBoxes(root);
    if (boxes.length === 0) return;
    const drawing = diagrams.now ?? (await loadFor(boxes));
    const budget = new DrawingBudget(() => performance.now());
    for (const box of boxes) {
      if (this.signal.aborted || !box.isConnected) continue;
      await this.#draw(box, drawing, budget);
    }
  }

  async #draw(box: HTMLElement, { draw, cachedDrawing }: typeof Diagrams, budget: DrawingBudget): Promise<void> {
    const theme = readDiagramTheme(box);
    const state = JSON.stringify(theme);
    if (box.dataset["live"] === state) return;
    box.dataset["live"] = state;
    const [source, name] = [sourceOf(box), nameOf(box)];
    const cached = cachedDrawing(source, theme);
    if (cached === null && (isTooLarge(source) || !budget.spend(source))) {
      this.sizes?.forget(name);
      this.#note(box, this.words().diagramTooLarge());
      return;
    }
    try {
      const drawing = cached ?? (await draw(source, theme));
      this.sizes?.note(name, drawing);
      if (box.dataset["live"] === state) this.#show(box, drawing);
    } catch (error) {
      this.sizes?.forget(name);
      this.#note(box, this.#reasonOf(error));
    }
  }

  #show(box: HTMLElement, { url, width, height }: Diagrams.Drawing): void {
    const picture = document.createElement("img");
    picture.src = url;
    picture.width = width;
    picture.height = height;
    picture.style.minWidth = legibleWidth(width);
    picture.alt = this.words().diagram;
    fill(box, picture, "source hidden");
    requestAnimationFrame(() => makeKeyboardScrollable([box]));
  }

  #reasonOf(error: unknown): string {
    if (error instanceof DrawingTooLong) return this.words().diagramTooLarge();
    return this.words().diagramFailed(error instanceof Error ? error.message : String(error));
  }

  /** Shows the source, and why it is not drawn. */
  #note(box: HTMLElement, reason: string): void {
    const text = document.createElement("p");
    text.className = "diagram-failed";
    text.textContent = reason;
    fill(box, text, "source shown");
  }
}

function findBoxes(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(".diagram")];
}

/** Loads the code that draws. If that fails, the boxes show their sources. */
async function loadFor(boxes: readonly HTMLElement[]): Promise<typeof Diagrams> {
  try {
    return await diagrams.load();
  } catch (error) {
    for (const box of boxes) if (box.querySelector(`:scope > .${SPACE_CLASS}`) !== null) fill(box, null, "source shown");
    throw error;
  }
}

function sourceOf(box: HTMLElement): string {
  return box.querySelector("pre")?.textContent ?? "";
}

/** Returns a key of everything that the size of a drawing depends on. */
function nameOf(box: HTMLElement): string {
  const source = sourceOf(box);
  return `diagram ${readFont(box)} ${AS_WIDE.test(source) ? innerWidth : ""} ${source}`;
}

/** Creates a placeholder of exactly the picture's size, even if the picture has to be scaled down. */
function spaceOf({ width, height }: Size): HTMLElement {
  const room = document.createElement("div");
  room.className = SPACE_CLASS;
  room.style.width = `${width}px`;
  room.style.minWidth = legibleWidth(width);
  room.style.aspectRatio = `${width} / ${height}`;
  return room;
}

function legibleWidth(width: number): string {
  return `${Math.round(width * LEGIBLE)}px`;
}

/** Puts an element before the source, in place of the previous one. */
function fill(box: HTMLElement, element: HTMLElement | null, state: "source hidden" | "source shown"): void {
  for (const old of box.querySelectorAll(":scope > :not(pre)")) old.remove();
  if (element !== null) box.prepend(element);
  const source = box.querySelector("pre");
  source?.classList.toggle("visually-hidden", state === "source hidden");
  if (state === "source hidden") source?.removeAttribute("tabindex");
}
