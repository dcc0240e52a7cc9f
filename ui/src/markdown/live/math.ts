// Sets formulas (KaTeX). It builds elements one by one, so that its sizes need no styles in markup.
import katex from "katex";
import "katex/dist/katex.min.css";

const LONGEST = 20_000;

/** Nothing in a formula may make links, load pictures or style the page; what grows without end is stopped. */
const LIMITS = { trust: false, strict: false, throwOnError: true, maxExpand: 1_000, maxSize: 20 } as const;

/** Sets the TeX that is the element's text, or says why it can't: then the text stays. */
export function set(element: HTMLElement): string | null {
  const tex = element.textContent;
  if (tex.length > LONGEST) return `${tex.length} > ${LONGEST}`;
  const box = document.createElement("span");
  try {
    katex.render(tex, box, { ...LIMITS, displayMode: element.classList.contains("math-display") });
  } catch (error) {
    // Whatever it stumbles over is told beside the source, which stays.
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : String(error);
  }
  element.replaceChildren(...box.childNodes);
  return null;
}
