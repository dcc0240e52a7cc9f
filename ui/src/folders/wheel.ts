// What a turn of the wheel means to a picture: mice and touchpads tell it in different measures.
import type { Point } from "./zoom";

export type WheelTurn = Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode" | "ctrlKey" | "shiftKey">;

export type WheelMeaning = { factor: number } | { pan: Point };

/** What engines that count in lines or pages scroll for one, in pixels. */
const LINE = 33;
const PAGE = 800;
/** Of one event: a wheel that spins freely, or a real one while Ctrl is held, tells much at once. */
const MOST_TURNED = 300;
const MOST_PINCHED = 30;

/** Upwards enlarges. A touchpad's pinch comes as a wheel with Ctrl, which nobody holds; sideways, or with Shift, is moving. */
export function wheelMeaning({ deltaX, deltaY, deltaMode, ctrlKey, shiftKey }: WheelTurn): WheelMeaning {
  const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : deltaMode === WheelEvent.DOM_DELTA_PAGE ? PAGE : 1;
  const [across, down] = [deltaX * unit, deltaY * unit];
  if (ctrlKey) return { factor: Math.exp(-within(down, MOST_PINCHED) / 100) };
  // Some engines turn the wheel's direction themselves when Shift is held.
  if (shiftKey) return { pan: { x: -(across === 0 ? down : across), y: 0 } };
  if (Math.abs(across) > Math.abs(down)) return { pan: { x: -across, y: -down } };
  return { factor: Math.exp(-within(down, MOST_TURNED) / 500) };
}

function within(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
