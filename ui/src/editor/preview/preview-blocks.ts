// The preview's contents: one element for each block of the page. A block with unchanged HTML keeps its element, so
// that pictures are not reloaded and a selection survives edits elsewhere.
import { addTo, type Queue, type RenderedBlock, trustedHtml } from "../../markdown";
import type { PlacedBlock } from "../../editing/scroll-sync";

/** A block in the preview. Its position is measured on demand only. */
class PreviewBlock implements PlacedBlock {
  constructor(
    readonly element: HTMLElement,
    readonly html: string,
    readonly line: number,
    readonly end: number,
  ) {}

  get top(): number {
    return this.element.offsetTop;
  }

  get height(): number {
    return this.element.offsetHeight;
  }
}

export class PreviewBlocks {
  #blocks: PreviewBlock[] = [];

  constructor(private readonly root: HTMLElement) {}

  /** Makes the contents equal to `blocks`; returns the new elements. */
  update(blocks: readonly RenderedBlock[]): HTMLElement[] {
    const free = new Map<string, Queue<HTMLElement>>();
    for (const { html, element } of this.#blocks) addTo(free, html, element);
    const fresh: HTMLElement[] = [];
    const next = blocks.map(({ html, line, end }): PreviewBlock => {
      const existing = free.get(html)?.take();
      const element = existing ?? this.#create(html);
      if (existing === undefined) fresh.push(element);
      return new PreviewBlock(element, html, line, end);
    });
    for (const queue of free.values()) for (const element of queue.rest()) element.remove();
    this.#arrange(next);
    this.#blocks = next;
    return fresh;
  }

  /** The blocks in their order, each with its present position. */
  get places(): readonly PlacedBlock[] {
    return this.#blocks;
  }

  #create(html: string): HTMLElement {
    const element = this.root.ownerDocument.createElement("div");
    element.className = "block";
    // Cleaned by ui/src/markdown/sanitize.ts.
    element.innerHTML = trustedHtml(html);
    return element;
  }

  /** Moves only misplaced elements. */
  #arrange(next: readonly PreviewBlock[]): void {
    let place = this.root.firstElementChild;
    for (const { element } of next) {
      if (element === place) place = place.nextElementSibling;
      else this.root.insertBefore(element, place);
    }
  }
}
