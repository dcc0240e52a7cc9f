// The boxes of a page in which diagrams are drawn: until then they hold the source, or the room that the drawing took
// when it was seen last; where it fails, the source and what is wrong with it.
import type * as Diagrams from "./diagrams";
import { Lazy } from "./lazy";
import { readFont, readLook } from "./look";
import { makeReachable } from "./reachable";
import type { SeenSizes, Size } from "./seen-sizes";

const diagrams = new Lazy(() => import("./diagrams"));

/** How small a drawing is made at most, where there is no room for it. */
const LEGIBLE = 0.75;
const ROOM = "diagram-room";
/** Drawn as wide as the window. */
const AS_WIDE = /^[ \t]*gantt\b/m;

export interface DiagramWords {
  /** The name of a diagram's picture; its source follows for whoever can't see it. */
  diagram: string;
  diagramFailed: (reason: string) => string;
}

export class DiagramBoxes {
  /** `sizes` remembers those that are drawn; null where most are gone with the next letter that is typed. */
  constructor(
    private readonly words: () => DiagramWords,
    private readonly signal: AbortSignal,
    private readonly sizes: SeenSizes | null,
  ) {}

  /** Before what is new in a page is painted. */
  makeRoom(root: ParentNode): void {
    for (const box of findBoxes(root)) {
      if (box.dataset["live"] !== undefined) continue;
      const size = this.sizes?.get(nameOf(box)) ?? null;
      if (size !== null) fill(box, roomOf(size), "source hidden");
    }
  }

  /** Those whose look has changed are drawn anew. */
  async drawAll(root: ParentNode): Promise<void> {
    const found = findBoxes(root);
    if (found.length === 0) return;
    const drawing = diagrams.now ?? (await loadFor(found));
    for (const box of found) {
      if (this.signal.aborted || !box.isConnected) continue;
      await this.#draw(box, drawing);
    }
  }

  async #draw(box: HTMLElement, { draw, drawnBefore }: typeof Diagrams): Promise<void> {
    const look = readLook(box);
    const state = JSON.stringify(look);
    if (box.dataset["live"] === state) return;
    box.dataset["live"] = state;
    const [source, name] = [sourceOf(box), nameOf(box)];
    try {
      const drawing = drawnBefore(source, look) ?? (await draw(source, look));
      this.sizes?.note(name, drawing);
      if (box.dataset["live"] === state) this.#show(box, drawing);
    } catch (error) {
      this.sizes?.forget(name);
      this.#fail(box, error instanceof Error ? error.message : String(error));
    }
  }

  #show(box: HTMLElement, { url, width, height }: Diagrams.Drawing): void {
    const picture = document.createElement("img");
    picture.src = url;
    picture.width = width;
    picture.height = height;
    picture.style.minWidth = legible(width);
    picture.alt = this.words().diagram;
    fill(box, picture, "source hidden");
    requestAnimationFrame(() => makeReachable([box]));
  }

  #fail(box: HTMLElement, reason: string): void {
    const text = document.createElement("p");
    text.className = "diagram-failed";
    text.textContent = this.words().diagramFailed(reason);
    fill(box, text, "source shown");
  }
}

function findBoxes(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(".diagram")];
}

/** Where what draws does not come, the sources are there to be read. */
async function loadFor(boxes: readonly HTMLElement[]): Promise<typeof Diagrams> {
  try {
    return await diagrams.load();
  } catch (error) {
    for (const box of boxes) if (box.querySelector(`:scope > .${ROOM}`) !== null) fill(box, null, "source shown");
    throw error;
  }
}

function sourceOf(box: HTMLElement): string {
  return box.querySelector("pre")?.textContent ?? "";
}

/** All that the size of a drawing depends on. */
function nameOf(box: HTMLElement): string {
  const source = sourceOf(box);
  return `diagram ${readFont(box)} ${AS_WIDE.test(source) ? innerWidth : ""} ${source}`;
}

/** Exactly what the picture will take, also where it must be made smaller. */
function roomOf({ width, height }: Size): HTMLElement {
  const room = document.createElement("div");
  room.className = ROOM;
  room.style.width = `${width}px`;
  room.style.minWidth = legible(width);
  room.style.aspectRatio = `${width} / ${height}`;
  return room;
}

function legible(width: number): string {
  return `${Math.round(width * LEGIBLE)}px`;
}

/** Before the source, in place of what stood there. */
function fill(box: HTMLElement, element: HTMLElement | null, state: "source hidden" | "source shown"): void {
  for (const old of box.querySelectorAll(":scope > :not(pre)")) old.remove();
  if (element !== null) box.prepend(element);
  const source = box.querySelector("pre");
  source?.classList.toggle("visually-hidden", state === "source hidden");
  if (state === "source hidden") source?.removeAttribute("tabindex");
}
