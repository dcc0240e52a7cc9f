// The display sizes of thumbnails.

export const SIZES = { min: 96, max: 512, step: 16 } as const;

/** Returns the size after a key press, which is three steps of the slider. */
export function resized(size: number, by: 1 | -1): number {
  return Math.min(SIZES.max, Math.max(SIZES.min, size + by * 3 * SIZES.step));
}
