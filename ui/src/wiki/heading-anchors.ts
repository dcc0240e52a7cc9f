// The marks at the ends of headings, which copy the permanent link to a section.
import { decodePath, ID_PREFIX } from "../markdown";

const ANCHOR = ":is(h1, h2, h3, h4, h5, h6) > a.anchor";

/** Makes the marks of a drawn page buttons for everyone; `label` says what they do. */
export function nameAnchors(article: HTMLElement, label: string): void {
  for (const anchor of article.querySelectorAll<HTMLElement>(ANCHOR)) {
    if (!anchor.hasAttribute("aria-hidden")) continue;
    // The heading is named by its words alone.
    anchor.parentElement?.setAttribute("aria-label", anchor.parentElement.textContent.trim());
    anchor.removeAttribute("aria-hidden");
    anchor.removeAttribute("tabindex");
    anchor.setAttribute("aria-label", label);
    anchor.title = label;
  }
}

/** The section whose mark was pressed, as the permanent link names it; null for any other link. */
export function sectionOf(link: HTMLAnchorElement): string | null {
  if (!link.matches(ANCHOR)) return null;
  const slug = decodePath(new URL(link.href).hash.slice(1));
  return slug.startsWith(ID_PREFIX) ? slug.slice(ID_PREFIX.length) : slug;
}
