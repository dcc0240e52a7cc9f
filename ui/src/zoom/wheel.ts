// The meaning of a turn of the wheel for a picture: mice and touchpads report it in different units.
import type { Point } from "./zoom";

export type WheelTurn = Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode" | "ctrlKey" | "shiftKey">;

export type WheelMeaning = { factor: number } | { pan: Point };

/** The pixels for each line or page, in engines that count in those. */
const LINE = 33;
const PAGE = 800;
/** The maximum turn of one event: a free-spinning wheel, or a real one with Ctrl held, reports a lot at once. */
const MAX_TURN = 300;
const MAX_PINCH = 30;

/**
 * Interprets a turn. Upwards enlarges. A touchpad's pinch arrives as a wheel event with Ctrl, without the key.
 * Sideways, or with Shift, pans.
 */
export function wheelMeaning({ deltaX, deltaY, deltaMode, ctrlKey, shiftKey }: WheelTurn): WheelMeaning {
  const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : deltaMode === WheelEvent.DOM_DELTA_PAGE ? PAGE : 1;
  const [across, down] = [deltaX * unit, deltaY * unit];
  if (ctrlKey) return { factor: Math.exp(-clamp(down, MAX_PINCH) / 100) };
  // Some engines swap the wheel's direction themselves while Shift is held.
  if (shiftKey) return { pan: { x: -(across === 0 ? down : across), y: 0 } };
  if (Math.abs(across) > Math.abs(down)) return { pan: { x: -across, y: -down } };
  return { factor: Math.exp(-clamp(down, MAX_TURN) / 500) };
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
