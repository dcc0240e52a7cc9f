// The frame that crops a picture, which is rotated beneath it. Pure: numbers in, numbers out.
import type { Crop } from "../../api/backend";
import type { Point, Size } from "../../zoom/zoom";

/** A frame by its middle, counted from the middle of the picture, and its sides, in the picture's pixels. It is upright. */
export interface CropFrame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A side or a corner of the frame, by its direction from the middle. */
export interface Handle {
  across: -1 | 0 | 1;
  down: -1 | 0 | 1;
}

/** A picture under the frame. */
export interface Underlay {
  picture: Size;
  /** The rotation of the picture around its middle, in degrees to the right. */
  angle: number;
}

/** The maximum rotation, in degrees. */
export const MAX_ANGLE = 45;
/** The smallest side of a frame, in pixels, as far as the picture has as many. */
const MIN_SIDE = 16;
/** The steps in which a resized frame that leaves the picture is held back. */
const STEPS = 40;
/** The distance by which a frame may leave the picture by rounding, in pixels. */
const TOLERANCE = 1e-6;

function trigonometry(angle: number): { sin: number; cos: number } {
  const radians = (angle * Math.PI) / 180;
  return { sin: Math.sin(radians), cos: Math.cos(radians) };
}

function rotated({ x, y }: Point, angle: number): Point {
  const { sin, cos } = trigonometry(angle);
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** Returns half of the sides that a frame takes along the picture's own axes. */
function reach({ width, height }: Size, angle: number): Point {
  const { sin, cos } = trigonometry(angle);
  const turned = Math.abs(sin);
  return { x: (width * cos + height * turned) / 2, y: (width * turned + height * cos) / 2 };
}

/** Returns the frame of the whole picture. */
export function wholeFrame({ width, height }: Size): CropFrame {
  return { x: 0, y: 0, width, height };
}

/** True if the picture fills the frame. */
export function isFilled(frame: CropFrame, { picture, angle }: Underlay): boolean {
  const middle = rotated(frame, -angle);
  const half = reach(frame, angle);
  return Math.abs(middle.x) + half.x <= picture.width / 2 + TOLERANCE && Math.abs(middle.y) + half.y <= picture.height / 2 + TOLERANCE;
}

/** Returns the frame, moved and made smaller as far as the picture needs to fill it. */
export function fitted(frame: CropFrame, { picture, angle }: Underlay): CropFrame {
  const half = reach(frame, angle);
  const scale = Math.min(1, picture.width / 2 / half.x, picture.height / 2 / half.y);
  const room = { x: picture.width / 2 - half.x * scale, y: picture.height / 2 - half.y * scale };
  const middle = rotated(frame, -angle);
  const inside = rotated({ x: clamped(middle.x, room.x), y: clamped(middle.y, room.y) }, angle);
  return { ...inside, width: frame.width * scale, height: frame.height * scale };
}

function clamped(value: number, limit: number): number {
  const most = Math.max(0, limit);
  return Math.min(most, Math.max(-most, value));
}

/** Returns the frame, moved as far as the picture fills it. */
export function moved(frame: CropFrame, by: Point, underlay: Underlay): CropFrame {
  return fitted({ ...frame, x: frame.x + by.x, y: frame.y + by.y }, underlay);
}

/**
 * Returns the frame with a side or a corner moved, as far as the picture fills it. The opposite side or corner stays. With
 * a ratio of width to height, the frame keeps it.
 */
export function resized(frame: CropFrame, handle: Handle, by: Point, ratio: number | null, underlay: Underlay): CropFrame {
  const least = Math.min(MIN_SIDE, underlay.picture.width, underlay.picture.height);
  let width = Math.max(least, frame.width + handle.across * by.x);
  let height = Math.max(least, frame.height + handle.down * by.y);
  if (ratio !== null) {
    if (handle.down === 0 || (handle.across !== 0 && width / ratio > height)) height = width / ratio;
    else width = height * ratio;
    const enlarged = Math.max(1, least / Math.min(width, height));
    [width, height] = [width * enlarged, height * enlarged];
  }
  const wanted: CropFrame = {
    x: frame.x + (handle.across * (width - frame.width)) / 2,
    y: frame.y + (handle.down * (height - frame.height)) / 2,
    width,
    height,
  };
  return heldBack(frame, wanted, underlay);
}

/** Returns the last frame on the way from one to another that the picture fills. */
function heldBack(from: CropFrame, to: CropFrame, underlay: Underlay): CropFrame {
  if (isFilled(to, underlay)) return to;
  const between = (part: number): CropFrame => ({
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    width: from.width + (to.width - from.width) * part,
    height: from.height + (to.height - from.height) * part,
  });
  let [filled, tooFar] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const part = (filled + tooFar) / 2;
    if (isFilled(between(part), underlay)) filled = part;
    else tooFar = part;
  }
  return between(filled);
}

/** Returns a frame of the same area with a ratio of width to height. */
export function withRatio(frame: CropFrame, ratio: number, underlay: Underlay): CropFrame {
  const width = Math.sqrt(frame.width * frame.height * ratio);
  return fitted({ ...frame, width, height: width / ratio }, underlay);
}

/** Returns the frame and the rotation that show a part of a picture. */
export function frameOf(crop: Crop, picture: Size): { frame: CropFrame; angle: number } {
  const angle = crop.angle === 0 ? 0 : -crop.angle;
  const middle = rotated({ x: (crop.x - 0.5) * picture.width, y: (crop.y - 0.5) * picture.height }, angle);
  const frame = { ...middle, width: crop.width * picture.width, height: crop.height * picture.height };
  return { frame: fitted(frame, { picture, angle }), angle };
}

/** Returns the part of a picture in a frame. */
export function cropOf(frame: CropFrame, { picture, angle }: Underlay): Crop {
  const middle = rotated(frame, -angle);
  const rounded = (value: number) => Number(value.toFixed(7));
  return {
    x: rounded(middle.x / picture.width + 0.5),
    y: rounded(middle.y / picture.height + 0.5),
    width: rounded(frame.width / picture.width),
    height: rounded(frame.height / picture.height),
    angle: angle === 0 ? 0 : Number((-angle).toFixed(6)),
  };
}
