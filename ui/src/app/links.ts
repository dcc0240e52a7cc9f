// Every plain link of the page goes through here: our own addresses change the room, others open outside.
import { parseAddress, parseUrl } from "./routes";

interface Handlers {
  navigate: (address: string) => void;
  openExternal: (address: string) => void;
}

/** For the document's `click`; leaves alone what the browser should do itself. */
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
  // A new tab or window of our own pages is the person's choice.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || (link.target && link.target !== "_self")) return;
  if (isFragmentOf(url) || parseAddress(url).room === "unknown") return;
  event.preventDefault();
  navigate(url.pathname + url.search + url.hash);
}

function isFragmentOf(url: URL): boolean {
  return url.hash !== "" && url.pathname === location.pathname && url.search === location.search;
}
