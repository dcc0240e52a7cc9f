// The gestures on an enlarged picture: it is dragged, pinched, turned to by the wheel, and enlarged by two presses.
import { wheelMeaning } from "./wheel";
import { type Frame, overflow, panned, pinched, type Point, toggled, type Viewport, zoomedBy } from "./zoom";

/** The pointer movement that still counts as a press, in pixels. */
const MAX_MOVEMENT = 4;

/** A picture on its stage, and what gestures do to it. */
export interface GestureTarget {
  /** Null until the picture's size is known. */
  frame: () => Frame | null;
  viewport: () => Viewport;
  onviewport: (viewport: Viewport) => void;
  /** Called on a press beside the picture. */
  onpressoutside?: () => void;
}

/** The listeners of the element around the picture, to be spread onto it. */
export class Gestures {
  readonly #target: GestureTarget;
  /** The last position of each finger, or of the mouse. */
  readonly #pointers = new Map<number, Point>();
  /** True if the current or last press has moved something. */
  #hasMoved = false;
  #isDragged = $state(false);

  constructor(target: GestureTarget) {
    this.#target = target;
  }

  /** True while a picture with hidden parts is dragged. */
  get isDragged(): boolean {
    return this.#isDragged;
  }

  readonly listeners = {
    onpointerdown: (event: PointerEvent) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      if (this.#pointers.size === 0) this.#hasMoved = false;
      this.#pointers.set(event.pointerId, pointOf(event));
    },
    onpointermove: (event: PointerEvent) => this.#move(event),
    onpointerup: (event: PointerEvent) => this.#release(event),
    onpointercancel: (event: PointerEvent) => this.#release(event),
    onwheel: (event: WheelEvent) => {
      event.preventDefault();
      const meaning = wheelMeaning(event);
      this.#change((shown, frame) => ("factor" in meaning ? zoomedBy(shown, frame, meaning.factor, pointOf(event)) : panned(shown, frame, meaning.pan)));
    },
    ondblclick: (event: MouseEvent) => {
      if (event.target !== event.currentTarget) this.#change((shown, frame) => toggled(shown, frame, pointOf(event)));
    },
    onclick: (event: MouseEvent) => {
      if (event.target === event.currentTarget && !this.#hasMoved) this.#target.onpressoutside?.();
    },
  };

  #move(event: PointerEvent) {
    // A release outside the stage is not reported.
    if (event.buttons === 0) this.#pointers.delete(event.pointerId);
    const before = this.#pointers.get(event.pointerId);
    const frame = this.#target.frame();
    if (!before || !frame) return;
    const now = pointOf(event);
    const by = { x: now.x - before.x, y: now.y - before.y };
    if (!this.#hasMoved && Math.hypot(by.x, by.y) < MAX_MOVEMENT) return;
    // Not earlier: a captured press belongs to the stage, and would count as one beside the picture.
    if (!this.#hasMoved) (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#hasMoved = true;
    const shown = this.#target.viewport();
    const movable = overflow(shown, frame);
    this.#isDragged = movable.x || movable.y;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#target.onviewport(other ? pinched(shown, frame, [before, other], [now, other]) : panned(shown, frame, by));
    this.#pointers.set(event.pointerId, now);
  }

  #release(event: PointerEvent) {
    this.#pointers.delete(event.pointerId);
    this.#isDragged = false;
  }

  #change(by: (viewport: Viewport, frame: Frame) => Viewport) {
    const frame = this.#target.frame();
    if (frame) this.#target.onviewport(by(this.#target.viewport(), frame));
  }
}

/** The position in the stage, from its middle. */
function pointOf({ clientX, clientY, currentTarget }: MouseEvent): Point {
  const stage = currentTarget as Element;
  const { left, top } = stage.getBoundingClientRect();
  return { x: clientX - left - stage.clientWidth / 2, y: clientY - top - stage.clientHeight / 2 };
}
