// How large thumbnails are drawn, and which to ask for: few sizes, so that moving the slider does not fill the cache
// with near copies.

export const SIZES = { min: 96, max: 512, step: 16 } as const;
export const LARGER_KEY = "+";
export const SMALLER_KEY = "-";

/** A key's step is three of the slider's. */
export function resized(size: number, by: 1 | -1): number {
  return Math.min(SIZES.max, Math.max(SIZES.min, size + by * 3 * SIZES.step));
}

const STEPS = [128, 192, 256, 384, 512, 768, 1024] as const;

/** The smallest step that covers a box of so many CSS pixels. */
export function thumbnailStep(box: number, pixelRatio: number): number {
  const wanted = box * Math.max(1, pixelRatio);
  return STEPS.find((step) => step >= wanted) ?? STEPS[STEPS.length - 1] ?? 1024;
}
