// When to draw what is typed: into the frame that shows the letter itself, as long as drawing is quick. What takes
// longer must not keep the letter waiting: it is drawn when the letter is on the screen, and less often the longer it
// takes.

/** Half a frame, in milliseconds. */
const QUICK = 8;
/** What is not quick waits this many times as long as it took, from its end on. */
const REST = 3;

export class Pace {
  #took = 0;
  #ended = -Infinity;
  #frame: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly draw: () => void) {}

  now(): void {
    this.stop();
    const began = performance.now();
    this.draw();
    this.#ended = performance.now();
    this.#took = this.#ended - began;
  }

  /** Once, however often it is asked for until then. */
  soon(): void {
    if (this.#timer !== undefined) return;
    this.#frame ??= requestAnimationFrame(() => {
      if (this.#took <= QUICK) this.now();
      else this.#afterThisFrame();
    });
  }

  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = null;
    this.#timer = undefined;
  }

  #afterThisFrame(): void {
    this.#frame = null;
    const free = this.#ended + REST * this.#took;
    this.#timer = setTimeout(() => this.now(), Math.max(0, free - performance.now()));
  }
}
