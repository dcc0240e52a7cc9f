// Going to a place inside a rendered page; ids of pages carry a prefix that addresses don't show.
import { decodePath } from "./page-path";
import { ID_PREFIX } from "./sanitize";

/** The element that a fragment (with or without `#`) names inside `article`, or null. */
function findFragment(article: HTMLElement, fragment: string): HTMLElement | null {
  const name = decodePath(fragment.replace(/^#/, ""));
  if (name === "") return null;
  return [...article.querySelectorAll<HTMLElement>("[id]")].find(({ id }) => id === ID_PREFIX + name) ?? null;
}

/** Scrolls there and moves the reading focus along; false if there is no such place. */
export function scrollToFragment(article: HTMLElement, fragment: string): boolean {
  const target = findFragment(article, fragment);
  if (target === null) return false;
  target.scrollIntoView({ block: "start" });
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  return true;
}
