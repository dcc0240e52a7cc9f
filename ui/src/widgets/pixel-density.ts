// The number of screen pixels per CSS pixel: it differs between screens, and when the page is zoomed.
import { createSubscriber } from "svelte/reactivity";

/** Calls `onchange` when it changes; returns a function that stops it. */
export function followDensity(onchange: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let density = window.devicePixelRatio;
  let query: MediaQueryList | null = null;
  const update = () => {
    if (window.devicePixelRatio === density) return;
    density = window.devicePixelRatio;
    listen();
    onchange();
  };
  // A query only reports that this density no longer applies: each density needs a query of its own.
  const listen = () => {
    query?.removeEventListener("change", update);
    query = window.matchMedia(`(resolution: ${density}dppx)`);
    query.addEventListener("change", update);
  };
  listen();
  // Engines that round may not report a change.
  window.addEventListener("resize", update, { signal });
  return () => {
    ending.abort();
    query?.removeEventListener("change", update);
  };
}

/** A single instance for the whole page, active while an effect or a template reads it. */
class PixelDensity {
  readonly #follow = createSubscriber(followDensity);

  get current(): number {
    this.#follow();
    return window.devicePixelRatio || 1;
  }
}

export const pixelDensity = new PixelDensity();
