// Navigation within a rendered page. The ids of pages carry a prefix that addresses don't show.
import { decodePath } from "../links/page-path";
import { slugify } from "../slug";
import { ID_PREFIX } from "../sanitizing/sanitize";

/** Returns the block before an element that only names it (`rules/block-ids.ts`), and otherwise the element itself. */
export function namedBlock(element: HTMLElement): HTMLElement {
  const { previousElementSibling: before } = element;
  return element.classList.contains("block-id") && before instanceof HTMLElement ? before : element;
}

/** Returns the element in `article` that a fragment (with or without `#`) names, or null. */
function findFragment(article: HTMLElement, fragment: string): HTMLElement | null {
  const name = decodePath(fragment.replace(/^#/, ""));
  if (name === "") return null;
  const named = [...article.querySelectorAll<HTMLElement>("[id]")];
  const withId = (wanted: string) => named.find(({ id }) => id === ID_PREFIX + wanted);
  // Obsidian writes the text of a heading.
  const element = withId(name) ?? withId(slugify(name));
  return element === undefined ? null : namedBlock(element);
}

/** Scrolls to a fragment and moves the focus there; false if it doesn't exist. */
export function scrollToFragment(article: HTMLElement, fragment: string): boolean {
  const target = findFragment(article, fragment);
  if (target === null) return false;
  // A view that hides parts of a page shows this one.
  target.dispatchEvent(new Event("reveal", { bubbles: true }));
  target.scrollIntoView({ block: "start" });
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  return true;
}
