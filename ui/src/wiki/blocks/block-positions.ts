// The positions of the blocks of a drawn page: blocks are not marked in the page, so the elements of each are counted.
import type { PlacedBlock } from "../../editing/scroll-sync";
import { type RenderedBlock, type RenderedPage, trustedHtml } from "../../markdown";
import { splitAtTitle } from "./title-block";

class PageBlock implements PlacedBlock {
  constructor(
    readonly line: number,
    readonly end: number,
    private readonly first: Element,
    private readonly last: Element,
    private readonly scroller: Element,
  ) {}

  /** The offset in the scrolled contents. */
  get top(): number {
    return this.first.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top + this.scroller.scrollTop;
  }

  get height(): number {
    return this.last.getBoundingClientRect().bottom - this.first.getBoundingClientRect().top;
  }
}

/** The blocks of a drawn page, in their order. A title that the page does not have itself belongs to none. */
export function placesInPage(page: Pick<RenderedPage, "blocks" | "outline">, article: Element, scroller: Element): PlacedBlock[] {
  const { lead, title, body } = splitAtTitle(page);
  const parts = [["lead", lead], ["title", title === null ? [] : [title]], ["body", body]] as const;
  return positionsOf(scroller, parts.flatMap(([name, blocks]) => {
    const element = article.querySelector(`:scope > .${name}`);
    return element === null ? [] : [{ element, blocks }];
  }));
}

/** The blocks of `containers`, each paired with its rendered blocks; an invisible block has no position. */
export function positionsOf(
  scroller: Element,
  containers: readonly { element: Element; blocks: readonly Pick<RenderedBlock, "html" | "line" | "end">[] }[],
): PlacedBlock[] {
  const template = document.createElement("template");
  return containers.flatMap(({ element, blocks }) => {
    let next = 0;
    return blocks.flatMap(({ html, line, end }) => {
      template.innerHTML = trustedHtml(html);
      const [first, last] = [element.children[next], element.children[next + template.content.childElementCount - 1]];
      next += template.content.childElementCount;
      return first === undefined || last === undefined || template.content.childElementCount === 0 ? [] : [new PageBlock(line, end, first, last, scroller)];
    });
  });
}
