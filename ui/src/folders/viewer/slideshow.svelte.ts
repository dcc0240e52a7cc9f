// A slideshow: each picture stays for a while, and until the next one can be drawn at once.
import { sessionMemory } from "../session/session-memory";

/** The available durations of a picture, in seconds. */
export const SLIDE_SECONDS = [2, 3, 4, 5, 7, 10, 15, 20, 30] as const;
/** The keys that do not stop the slideshow. */
const ITS_OWN = new Set(["s", "S", " ", "<", ">", "Shift", "Control", "Alt", "Meta"]);

export class Slideshow {
  isRunning = $state(false);
  seconds = $state(sessionMemory.slideSeconds);

  readonly start = (): void => void (this.isRunning = true);

  readonly stop = (): void => void (this.isRunning = false);

  /** Selects the next longer (1) or shorter (-1) duration. */
  readonly pace = (by: 1 | -1): void => {
    const at = SLIDE_SECONDS.findIndex((stay) => stay >= this.seconds);
    this.seconds = SLIDE_SECONDS[Math.min(SLIDE_SECONDS.length - 1, Math.max(0, at + by))] ?? this.seconds;
    sessionMemory.slideSeconds = this.seconds;
  };

  /** Stops the slideshow on any input outside of `controls`. Returns a function that ends this. */
  watch(controls: string): () => void {
    const ending = new AbortController();
    const { signal } = ending;
    const act = (event: Event) => {
      if (event instanceof KeyboardEvent && ITS_OWN.has(event.key) && !event.ctrlKey && !event.metaKey) return;
      if (event.target instanceof Element && event.target.closest(controls)) return;
      this.stop();
    };
    for (const name of ["pointerdown", "wheel", "keydown"]) window.addEventListener(name, act, { signal, capture: true, passive: true });
    return () => ending.abort();
  }
}

/** Resolves once the current picture has stayed long enough and the next one, which `load` loads, can be drawn. */
export async function waitForNextSlide(seconds: number, load: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const stay = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  await Promise.all([stay, load()]);
}
