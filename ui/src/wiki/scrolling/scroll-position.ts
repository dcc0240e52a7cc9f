// Stores a page's scroll position in its own entry of the browser's history: going back restores it.

interface ScrollState {
  scroll: number;
}

const REST_MS = 120;

export class ScrollPosition {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending: number | null = null;

  /** `kept` and `keep` read and store it in the entry, which the view does not change itself: changes are counted. */
  constructor(
    private readonly kept: () => object | null,
    private readonly keep: (state: ScrollState) => void,
  ) {}

  /** The stored position of this entry, or null for a new one. */
  read(): number | null {
    return (this.kept() as Partial<ScrollState> | null)?.scroll ?? null;
  }

  /** Stores the position when the scrolling rests. */
  note(scroll: number): void {
    this.stop();
    this.#pending = scroll;
    this.#timer = setTimeout(() => this.flush(), REST_MS);
  }

  /** Stores the position now. */
  flush(): void {
    const scroll = this.#pending;
    this.stop();
    if (scroll !== null) this.keep({ scroll });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#pending = null;
  }
}
