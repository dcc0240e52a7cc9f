// The meaning of presses on the cells of a grid. With the mouse a press selects and a double press opens. A touch has
// no double press: a short touch opens, and a long one selects and, once it ends, opens the menu.
import type { Attachment } from "svelte/attachments";
import { type SelectionMode, selectionModeOf } from "../selection/selection-mode";

/** The duration of a touch that selects, in milliseconds. */
export const LONG_PRESS = 500;
/** The movement after which a touch scrolls, in pixels. */
const MAX_MOVEMENT = 10;

export interface CellPressHandlers {
  onselect: (index: number, mode: SelectionMode) => void;
  onopen: (index: number) => void;
  /** Called at the end of a long touch, which has selected the cell or removed it from the selection. */
  onhold: (index: number, at: { x: number; y: number }) => void;
  /** Called on a touch outside the cells. */
  onclear: () => void;
}

/** Returns the index of the cell that contains the target; null if there is none. */
export function cellOf(target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return cell ? Number(cell.dataset["index"]) : null;
}

/** Attaches to the element that contains cells with their `data-index`: `{@attach presses(handlers)}`. */
export function cellPresses({ onselect, onopen, onhold, onclear }: CellPressHandlers): Attachment<HTMLElement> {
  return (element) => {
    let isTouch = false;
    let wasLong = false;
    /** The cell of a long touch that has not moved since. */
    let held: number | null = null;
    let from = { x: 0, y: 0 };
    let resting: ReturnType<typeof setTimeout> | undefined;
    const lift = () => clearTimeout(resting);

    const onpointerdown = (event: PointerEvent) => {
      lift();
      isTouch = event.pointerType === "touch";
      wasLong = false;
      held = null;
      from = { x: event.clientX, y: event.clientY };
      const index = cellOf(event.target);
      if (!isTouch || index === null) return;
      resting = setTimeout(() => {
        wasLong = true;
        held = index;
        onselect(index, "toggle");
      }, LONG_PRESS);
    };
    const onpointermove = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) <= MAX_MOVEMENT) return;
      lift();
      held = null;
    };
    const onpointerup = ({ clientX: x, clientY: y }: PointerEvent) => {
      lift();
      if (held !== null) onhold(held, { x, y });
      held = null;
    };
    const onpointercancel = () => {
      lift();
      held = null;
    };
    const onclick = (event: MouseEvent) => {
      const index = cellOf(event.target);
      // The long touch has already been handled.
      if (isTouch && wasLong) return;
      if (isTouch && index === null) onclear();
      else if (isTouch && index !== null) onopen(index);
      else if (index !== null) onselect(index, selectionModeOf(event));
    };
    const ondblclick = (event: MouseEvent) => {
      const index = cellOf(event.target);
      if (!isTouch && index !== null && selectionModeOf(event) === "only") onopen(index);
    };
    // In some systems a long touch opens a menu.
    const oncontextmenu = (event: Event) => {
      if (isTouch) event.preventDefault();
    };

    const ending = new AbortController();
    const { signal } = ending;
    element.addEventListener("pointerdown", onpointerdown, { signal });
    element.addEventListener("pointermove", onpointermove, { signal });
    element.addEventListener("pointerup", onpointerup, { signal });
    element.addEventListener("pointercancel", onpointercancel, { signal });
    element.addEventListener("click", onclick, { signal });
    element.addEventListener("dblclick", ondblclick, { signal });
    element.addEventListener("contextmenu", oncontextmenu, { signal });
    return () => {
      lift();
      ending.abort();
    };
  };
}
