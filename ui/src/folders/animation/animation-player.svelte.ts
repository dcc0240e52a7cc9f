// The playback of an animated picture, frame by frame. The engine's own playback can't be paused.
import { type AnimationFile, FramesUnavailable, type LoadedAnimation, loadAnimation } from "./load-animation";

export class AnimationPlayer {
  #animation = $state.raw<LoadedAnimation | null>(null);
  #index = $state(0);
  #isPlaying = $state(false);
  #isUnavailable = $state(false);
  /** The number of times that all frames were shown. */
  #rounds = 0;
  /** The end of the last drawing. */
  #drawing: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly load: (file: AnimationFile, signal: AbortSignal) => Promise<LoadedAnimation | null> = loadAnimation) {}

  /** The canvas in place of the picture; null if that is not animated, or not loaded yet. */
  get canvas(): HTMLCanvasElement | null {
    return this.#animation?.canvas ?? null;
  }

  /** True for an animation that only the engine plays: it can't be paused. */
  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  get count(): number {
    return this.#animation?.durations.length ?? 0;
  }

  /** The frame that is shown, from 0. */
  get index(): number {
    return this.#index;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** Shows the file, if it is animated. Returns a function that ends it. */
  open(file: AnimationFile, isStill: boolean): () => void {
    const ending = new AbortController();
    void this.#open(file, isStill, ending.signal);
    return () => {
      ending.abort();
      this.#close();
      this.#isUnavailable = false;
    };
  }

  readonly toggle = (): void => {
    if (this.#animation === null) return;
    if (this.#isPlaying) this.#pause();
    else this.#play();
  };

  /** Shows the next (1) or the previous (-1) frame, around the ends, and pauses. */
  readonly step = (by: 1 | -1): void => {
    if (this.#animation === null) return;
    this.#pause();
    void this.#go((this.#index + by + this.count) % this.count);
  };

  async #open(file: AnimationFile, isStill: boolean, signal: AbortSignal): Promise<void> {
    try {
      const animation = await this.load(file, signal);
      await animation?.show(0);
      if (signal.aborted || animation === null) return;
      [this.#animation, this.#index] = [animation, 0];
      if (!isStill) this.#play();
    } catch (error) {
      // The engine's own playback remains, and the picture's errors are reported there.
      if (!signal.aborted) this.#isUnavailable = error instanceof FramesUnavailable;
    }
  }

  #close(): void {
    this.#pause();
    this.#animation = null;
  }

  #play(): void {
    this.#isPlaying = true;
    this.#rounds = 0;
    if (this.#index === this.count - 1) void this.#go(0);
    this.#wait(performance.now());
  }

  #pause(): void {
    this.#isPlaying = false;
    clearTimeout(this.#timer);
  }

  /** Goes on once the frame, which was due at a time, has been shown for its duration. */
  #wait(due: number): void {
    const next = Math.max(performance.now(), due + (this.#animation?.durations[this.#index] ?? 0));
    this.#timer = setTimeout(() => void this.#advance(next), next - performance.now());
  }

  async #advance(due: number): Promise<void> {
    const animation = this.#animation;
    const isLast = this.#index === this.count - 1;
    if (isLast) this.#rounds += 1;
    if (isLast && this.#rounds === animation?.plays) return this.#pause();
    await this.#go(isLast ? 0 : this.#index + 1);
    if (this.#isPlaying && this.#animation === animation) this.#wait(due);
  }

  #go(index: number): Promise<void> {
    const animation = this.#animation;
    this.#index = index;
    this.#drawing = this.#drawing.then(async () => {
      if (animation === null || animation !== this.#animation) return;
      try {
        await animation.show(index);
      } catch (error) {
        // A damaged frame: the engine shows what it can.
        if (animation !== this.#animation) return;
        this.#close();
        this.#isUnavailable = error instanceof FramesUnavailable;
      }
    });
    return this.#drawing;
  }
}
