// Stores a page's scroll position in its own entry of the browser's history: going back restores it.

interface ScrollState {
  scroll: number;
}

const REST_MS = 120;

export class ScrollPosition {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `keep` stores it in the entry, which the view does not change itself: changes are counted. */
  constructor(private readonly keep: (state: ScrollState) => void) {}

  /** The stored position of this entry, or null for a new one. */
  read(): number | null {
    return (history.state as Partial<ScrollState> | null)?.scroll ?? null;
  }

  /** Stores the position when the scrolling rests. */
  note(scroll: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep({ scroll }), REST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
