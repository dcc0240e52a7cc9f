// An animated picture, taken apart into pictures of one frame each, which every engine decodes. Pure: bytes in, bytes out.

/** What happens to the place of a frame before the next one. */
export type Disposal = "keep" | "clear" | "restore";

export interface AnimationFrame {
  /** The place on the canvas. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** In milliseconds. */
  duration: number;
  disposal: Disposal;
  /** True if the frame is drawn over what is there; false if it replaces that. */
  isBlended: boolean;
  /** The parts of a picture file that has this frame alone. */
  file: () => Uint8Array<ArrayBuffer>[];
}

export interface Animation {
  type: string;
  width: number;
  height: number;
  frames: AnimationFrame[];
  /** The number of times that all frames are shown; 0 for endlessly. */
  plays: number;
}

/** The bytes of a file that is read. */
export type FileBytes = Uint8Array<ArrayBuffer>;

/** The maximum size of a file and of a canvas, and the maximum number of frames. */
export const MAX_BYTES = 64 << 20;
const MAX_PIXELS = 24_000_000;
const MAX_FRAMES = 10_000;
/** Engines show frames that claim to last at most 10 ms for 100 ms. */
const [SHORTEST, INSTEAD] = [10, 100];

/** Returns the duration that engines give to a frame. */
export function frameDuration(stated: number): number {
  return stated > SHORTEST ? stated : INSTEAD;
}

/** Returns the animation; null for a single frame, and beyond the limits. */
export function withinLimits(animation: Animation): Animation | null {
  const { width, height, frames } = animation;
  const isUsable = width > 0 && height > 0 && width * height <= MAX_PIXELS && frames.length > 1 && frames.length <= MAX_FRAMES;
  return isUsable && frames.every((frame) => frame.width > 0 && frame.height > 0) ? animation : null;
}

/** Returns the four characters of a chunk's name. */
export function nameAt(bytes: FileBytes, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
