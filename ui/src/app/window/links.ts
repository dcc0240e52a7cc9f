// The handler of every plain link of the page: our own addresses change the view, others open outside.
import { parseAddress, parseUrl } from "../routes";

interface Handlers {
  /** The address of the view. */
  here: URL;
  navigate: (address: string) => void;
  openExternal: (address: string) => void;
  /** Opens a tab of the window; absent in a browser, which has its own. */
  openTab?: ((address: string, front: boolean) => void) | undefined;
}

/** Handles the document's `click` and `auxclick`; ignores clicks that the browser should handle itself. */
export function followLink(event: MouseEvent, { here, navigate, openExternal, openTab }: Handlers): void {
  const opensTab = isForTab(event);
  if (event.defaultPrevented || (event.button !== 0 && !(openTab && opensTab))) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const url = link === null ? null : urlOf(link, here);
  if (link === null || url === null) return;
  if (url.origin !== location.origin) {
    event.preventDefault();
    openExternal(url.href);
    return;
  }
  const address = url.pathname + url.search + url.hash;
  const isOwn = parseAddress(url).name !== "unknown";
  if (openTab && opensTab) {
    event.preventDefault();
    if (isOwn) openTab(address, event.shiftKey);
    return;
  }
  // The user chose a new tab or window for our own page.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || (link.target && link.target !== "_self")) return;
  if (!isOwn) return;
  const isWithin = isFragmentOf(here, url);
  if (isWithin && !openTab) return;
  event.preventDefault();
  navigate(address);
  // The window's own address does not change, so that WebKit would not scroll.
  if (isWithin) document.getElementById(url.hash.slice(1))?.scrollIntoView();
}

/** The address of a link to one of our own views; null for any other. */
export function linkAddress(link: Element, here: URL): string | null {
  const url = urlOf(link, here);
  if (url === null || url.origin !== location.origin || parseAddress(url).name === "unknown") return null;
  return url.pathname + url.search + url.hash;
}

function urlOf(link: Element, here: URL): URL | null {
  const address = link.getAttribute("href");
  return address === null || link.hasAttribute("download") ? null : parseUrl(address, here.href);
}

/** True for a press that opens a tab in every browser. */
function isForTab({ type, button, ctrlKey, metaKey }: MouseEvent): boolean {
  return button === 1 ? type === "auxclick" : button === 0 && (ctrlKey || metaKey);
}

function isFragmentOf(here: URL, url: URL): boolean {
  return url.hash !== "" && url.pathname === here.pathname && url.search === here.search;
}
