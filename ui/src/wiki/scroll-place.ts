// Remembers how far a page was scrolled, in its own entry of the browser's history: going back leads to the same place.

interface ScrollState {
  scroll?: number;
}

const REST_MS = 120;

export class ScrollPlace {
  readonly #address = location.pathname + location.search;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Where this entry was left, or null for one that is new. */
  read(): number | null {
    return (history.state as ScrollState | null)?.scroll ?? null;
  }

  /** Writes the place down when the scrolling rests. */
  note(scroll: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // The entry may be another page's by now.
      if (location.pathname + location.search !== this.#address) return;
      history.replaceState({ ...(history.state as object | null), scroll }, "");
    }, REST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
