// The schedule for rendering typed text: in the frame that shows the letter, as long as rendering is quick. Slow
// rendering must not delay the letter: it runs after the letter is on the screen, and less often the longer it takes.

/** Half a frame, in milliseconds. */
const QUICK = 8;
/** The pause after slow rendering, as a multiple of its duration. */
const PAUSE_FACTOR = 3;

export class RenderSchedule {
  #took = 0;
  #ended = -Infinity;
  #frame: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly draw: () => void) {}

  now(): void {
    this.stop();
    const start = performance.now();
    this.draw();
    this.#ended = performance.now();
    this.#took = this.#ended - start;
  }

  /** Schedules one rendering, however many requests come until then. */
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
    const free = this.#ended + PAUSE_FACTOR * this.#took;
    this.#timer = setTimeout(() => this.now(), Math.max(0, free - performance.now()));
  }
}
