// How many pixels of the screen one of a page has: others on another screen, and when the page is enlarged.
import { createSubscriber } from "svelte/reactivity";

/** Calls `tell` when it is another one; returns how to stop. */
export function followDensity(tell: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let known = window.devicePixelRatio;
  let query: MediaQueryList | null = null;
  const look = () => {
    if (window.devicePixelRatio === known) return;
    known = window.devicePixelRatio;
    listen();
    tell();
  };
  // A query hears only that it is this density no more: each needs one of its own.
  const listen = () => {
    query?.removeEventListener("change", look);
    query = window.matchMedia(`(resolution: ${known}dppx)`);
    query.addEventListener("change", look);
  };
  listen();
  // Engines that round may tell of none.
  window.addEventListener("resize", look, { signal });
  return () => {
    ending.abort();
    query?.removeEventListener("change", look);
  };
}

/** One for the whole page, followed while somebody reads it in an effect or a template. */
class PixelDensity {
  readonly #follow = createSubscriber(followDensity);

  get current(): number {
    this.#follow();
    return window.devicePixelRatio || 1;
  }
}

export const pixelDensity = new PixelDensity();
