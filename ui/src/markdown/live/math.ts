// Sets formulas (KaTeX). It builds elements one by one, so that its sizes need no styles in markup.
import katex from "katex";
import "katex/dist/katex.min.css";

const MAX_LENGTH = 20_000;

/** The limits: formulas may not create links, load pictures or style the page, and unbounded growth is stopped. */
const LIMITS = { trust: false, strict: false, throwOnError: true, maxExpand: 1_000, maxSize: 20 } as const;

/** Sets the TeX in the element's text, or returns the error and keeps the text. */
export function set(element: HTMLElement): string | null {
  const tex = element.textContent;
  if (tex.length > MAX_LENGTH) return `${tex.length} > ${MAX_LENGTH}`;
  const box = document.createElement("span");
  try {
    katex.render(tex, box, { ...LIMITS, displayMode: element.classList.contains("math-display") });
  } catch (error) {
    // Any error is reported beside the source, which stays.
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : String(error);
  }
  element.replaceChildren(...box.childNodes);
  return null;
}
