// The data for the first paint of the page, requested while the page's own code still starts.
import type { Backend } from "../api/backend";
import type { PreloadedPage } from "../wiki";
import type { FirstFrame } from "./first-frame";

/** The longest wait of the first paint for its data, in milliseconds. */
const PATIENCE = 250;

/** The data known about the first address when its view is entered. */
export interface InitialData {
  address: string;
  page: PreloadedPage | null;
}

/** Requests the source of the page that the server's HTML names, if it is a page that is read here. */
export function fetchInitialData({ address, pageId, revision, answers }: FirstFrame, backend: Backend): InitialData {
  const meta = answers?.page ?? null;
  const isRead = address.startsWith("/wiki/");
  if (!isRead || pageId === null || revision === null || meta === null) return { address, page: null };
  const source = backend.pages.source(pageId, revision);
  const unsaved = answers?.unsaved ?? false;
  const page: PreloadedPage = { id: pageId, revision, meta, unsaved, source, arrived: null };
  source.then(
    (arrived) => (page.arrived = arrived),
    // The view reports the failure once it is there.
    () => {},
  );
  return { address, page };
}

/**
 * Waits until the first paint can be complete. A paint without the text would only delay the text; if something is
 * slow, the available parts are shown without it.
 */
export async function allSettled(parts: readonly Promise<unknown>[]): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([Promise.allSettled(parts), patience]);
}

/**
 * Waits until readable contents are on the screen; only a moment if nothing is drawn, as in a background tab. A browser
 * reports a paint after its other processes have done their part, too.
 */
export async function whenPainted(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, PATIENCE);
    const observer = new PerformanceObserver((paints) => {
      if (paints.getEntriesByName("first-contentful-paint").length > 0) resolve();
    });
    observer.observe({ type: "paint", buffered: true });
  });
}
