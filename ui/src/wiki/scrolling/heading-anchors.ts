// The anchors at the ends of headings, which copy the permanent link to a section.
import { decodePath, ID_PREFIX } from "../../markdown";

const ANCHOR = ":is(h1, h2, h3, h4, h5, h6) > a.anchor";

/** Makes the anchors of a drawn page accessible buttons; `label` describes their action. */
export function nameAnchors(article: HTMLElement, label: string): void {
  for (const anchor of article.querySelectorAll<HTMLElement>(ANCHOR)) {
    if (!anchor.hasAttribute("aria-hidden")) continue;
    // The heading's name is its words only.
    anchor.parentElement?.setAttribute("aria-label", anchor.parentElement.textContent.trim());
    anchor.removeAttribute("aria-hidden");
    anchor.removeAttribute("tabindex");
    anchor.setAttribute("aria-label", label);
    anchor.title = label;
  }
}

/** The section of a pressed anchor in the form of the permanent link; null for any other link. */
export function sectionOf(link: HTMLAnchorElement): string | null {
  if (!link.matches(ANCHOR)) return null;
  const slug = decodePath(new URL(link.href).hash.slice(1));
  return slug.startsWith(ID_PREFIX) ? slug.slice(ID_PREFIX.length) : slug;
}
