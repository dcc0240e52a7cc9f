// The handler of every plain link of the page: our own addresses change the view, others open outside.
import { parseAddress, parseUrl } from "../routes";

interface Handlers {
  navigate: (address: string) => void;
  openExternal: (address: string) => void;
}

/** Handles the document's `click`; ignores clicks that the browser should handle itself. */
export function followLink(event: MouseEvent, { navigate, openExternal }: Handlers): void {
  if (event.defaultPrevented || event.button !== 0) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const address = link?.getAttribute("href");
  if (!link || address === null || address === undefined || link.hasAttribute("download")) return;
  const url = parseUrl(address, location.href);
  if (!url) return;
  if (url.origin !== location.origin) {
    event.preventDefault();
    openExternal(url.href);
    return;
  }
  // The user chose a new tab or window for our own page.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || (link.target && link.target !== "_self")) return;
  if (isFragmentOfThisPage(url) || parseAddress(url).name === "unknown") return;
  event.preventDefault();
  navigate(url.pathname + url.search + url.hash);
}

function isFragmentOfThisPage(url: URL): boolean {
  return url.hash !== "" && url.pathname === location.pathname && url.search === location.search;
}
