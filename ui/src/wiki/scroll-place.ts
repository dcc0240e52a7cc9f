// Remembers how far a page was scrolled, in its own entry of the browser's history: going back leads to the same place.

interface ScrollState {
  scroll: number;
}

const REST_MS = 120;

export class ScrollPlace {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `keep` puts it into the entry, which the room does not change itself: changes are counted. */
  constructor(private readonly keep: (state: ScrollState) => void) {}

  /** Where this entry was left, or null for one that is new. */
  read(): number | null {
    return (history.state as Partial<ScrollState> | null)?.scroll ?? null;
  }

  /** Writes the place down when the scrolling rests. */
  note(scroll: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep({ scroll }), REST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
