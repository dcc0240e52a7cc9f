// The link that a press opens in the same window.

/** The link under the pointer; null if the press has another meaning, or opens another tab or window. */
export function pressedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  return link?.hasAttribute("href") ? link : null;
}

/** The fragment of a link within the page at `here`; null for every other link. */
export function ownFragment(link: HTMLAnchorElement, here: URL): string | null {
  const url = new URL(link.getAttribute("href") ?? "", here);
  const isHere = url.origin === here.origin && url.pathname === here.pathname && url.search === here.search;
  return isHere && url.hash !== "" ? url.hash : null;
}
