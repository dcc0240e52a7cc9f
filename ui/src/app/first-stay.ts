// What the first picture of the page needs, asked for while the page's own code is still beginning.
import type { Backend } from "../api/backend";
import type { KnownPage } from "../wiki";
import type { FirstFrame } from "./first-frame";

/** How long the first picture waits for what belongs into it, in milliseconds. */
const PATIENCE = 250;

/** What is known of the first address when its room is entered. */
export interface FirstStay {
  address: string;
  page: KnownPage | null;
}

/** Asks for the source of the page that the server's HTML names, if it is one that is read here. */
export function beginStay({ address, pageId, revision, answers }: FirstFrame, backend: Backend): FirstStay {
  const meta = answers?.page ?? null;
  const isRead = address.startsWith("/wiki/");
  if (!isRead || pageId === null || revision === null || meta === null) return { address, page: null };
  const source = backend.pages.source(pageId, revision);
  const unsaved = answers?.unsaved ?? false;
  const page: KnownPage = { id: pageId, revision, meta, unsaved, source, arrived: null };
  source.then(
    (arrived) => (page.arrived = arrived),
    // The room says what failed, when it is there.
    () => {},
  );
  return { address, page };
}

/**
 * Waits until the first picture can be whole. A picture without its text, painted first, would only delay the text;
 * when something is slow, what is there is shown without it.
 */
export async function whenWhole(parts: readonly Promise<unknown>[]): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([Promise.allSettled(parts), patience]);
}

/**
 * Waits until something that can be read is on the screen; where nothing is drawn, as in a tab that nobody looks at, a
 * moment only. A browser tells it when its other processes have done their part, too.
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
