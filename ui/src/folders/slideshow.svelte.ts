// Pictures one after the other, by themselves: each stays for a while, and until the next one can be drawn at once.
import { memory } from "./memory";

/** How long a picture may stay, in seconds. */
export const STAYS = [2, 3, 4, 5, 7, 10, 15, 20, 30] as const;
/** What is no sign that one wants something else. */
const ITS_OWN = new Set(["s", "S", " ", "<", ">", "Shift", "Control", "Alt", "Meta"]);

export class Slideshow {
  isRunning = $state(false);
  seconds = $state(memory.slideSeconds);

  readonly start = (): void => void (this.isRunning = true);

  readonly stop = (): void => void (this.isRunning = false);

  /** To the next longer (1) or shorter (-1) stay. */
  readonly pace = (by: 1 | -1): void => {
    const at = STAYS.findIndex((stay) => stay >= this.seconds);
    this.seconds = STAYS[Math.min(STAYS.length - 1, Math.max(0, at + by))] ?? this.seconds;
    memory.slideSeconds = this.seconds;
  };

  /** One who takes matters in hand has them: stops at whatever is done outside of `controls`. Returns how to end that. */
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

/** Resolves when the present picture has stayed long enough and the next one, which `load` brings, can be drawn. */
export async function untilNext(seconds: number, load: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const stay = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  await Promise.all([stay, load()]);
}
