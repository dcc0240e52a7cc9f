// The frames of an animation, each drawn on top of those before it.
import type { Animation, AnimationFrame } from "./animation";

/** A canvas, or its stand-in. */
export interface Surface<Image> {
  clear(x: number, y: number, width: number, height: number): void;
  draw(image: Image, x: number, y: number): void;
  copy(): Surface<Image>;
  /** Replaces everything with the contents of another surface. */
  paste(other: Surface<Image>): void;
}

/** The maximum memory of the frames that are kept, in bytes. */
const MAX_KEPT = 64 << 20;

/** Reaches any frame from the nearest one that is kept. */
export class Compositor<Image> {
  readonly #kept = new Map<number, Surface<Image>>();
  /** Every frame with a multiple of this number is kept. */
  readonly #interval: number;
  #at = -1;
  /** What the last frame covered, if it has to be restored. */
  #covered: Surface<Image> | null = null;

  /** Creates the compositor. `surface` is empty, and has the size of the animation. */
  constructor(
    private readonly animation: Animation,
    private readonly surface: Surface<Image>,
    private readonly decode: (frame: AnimationFrame) => Promise<Image>,
    maxKept: number = MAX_KEPT,
  ) {
    const { width, height, frames } = animation;
    this.#interval = Math.max(1, Math.ceil((frames.length * width * height * 4) / maxKept));
  }

  /** Draws a frame, and all those that it needs. Calls must not overlap. */
  async show(index: number): Promise<void> {
    this.#goBackTo(index);
    while (this.#at < index) {
      const frame = this.animation.frames[this.#at + 1];
      if (frame === undefined) return;
      // Decoded first: a failure leaves the surface as it is.
      this.#draw(frame, await this.decode(frame));
    }
  }

  #draw(frame: AnimationFrame, image: Image): void {
    this.#dispose();
    const { surface } = this;
    this.#covered = frame.disposal === "restore" ? surface.copy() : null;
    if (!frame.isBlended) surface.clear(frame.x, frame.y, frame.width, frame.height);
    surface.draw(image, frame.x, frame.y);
    this.#at += 1;
    const isNeeded = this.#at % this.#interval === 0 && this.#covered === null && !this.#kept.has(this.#at);
    if (isNeeded) this.#kept.set(this.#at, surface.copy());
  }

  /** Removes the last frame as it demands. */
  #dispose(): void {
    const last = this.animation.frames[this.#at];
    if (last?.disposal === "clear") this.surface.clear(last.x, last.y, last.width, last.height);
    if (this.#covered) this.surface.paste(this.#covered);
  }

  /** Continues from the nearest frame before this one. */
  #goBackTo(index: number): void {
    const here = this.#at <= index ? this.#at : -1;
    const nearest = Math.max(here, ...[...this.#kept.keys()].filter((at) => at <= index));
    if (nearest === this.#at) return;
    const kept = this.#kept.get(nearest);
    if (kept) this.surface.paste(kept);
    else this.surface.clear(0, 0, this.animation.width, this.animation.height);
    this.#at = kept ? nearest : -1;
    this.#covered = null;
  }
}
