// The sizes in which thumbnails are requested: few, so that the cache is not filled with near copies.

const STEPS = [128, 192, 256, 384, 512, 768, 1024, 1536, 2048] as const;

/** The smallest step that covers a box of the given CSS pixels. */
export function thumbnailStep(box: number, pixelRatio: number): number {
  const wanted = box * Math.max(1, pixelRatio);
  return STEPS.find((step) => step >= wanted) ?? STEPS[STEPS.length - 1] ?? 2048;
}
