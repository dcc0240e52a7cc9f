// The meaning of presses on the cells of a grid. With the mouse a press selects and a double press opens. A touch has
// no double press: a short touch opens, and a long one selects.
import type { Attachment } from "svelte/attachments";
import { type SelectionMode, selectionModeOf } from "../selection/selection-mode";

/** The duration of a touch that selects, in milliseconds. */
export const LONG_PRESS = 500;
/** The movement after which a touch scrolls, in pixels. */
const MAX_MOVEMENT = 10;

export interface CellPressHandlers {
  onselect: (index: number, mode: SelectionMode) => void;
  onopen: (index: number) => void;
  /** Called on a touch outside the cells. */
  onclear: () => void;
}

/** Returns the index of the cell that contains the target; null if there is none. */
export function cellOf(target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return cell ? Number(cell.dataset["index"]) : null;
}

/** Attaches to the element that contains cells with their `data-index`: `{@attach presses(handlers)}`. */
export function cellPresses({ onselect, onopen, onclear }: CellPressHandlers): Attachment<HTMLElement> {
  return (element) => {
    let isTouch = false;
    let wasLong = false;
    let from = { x: 0, y: 0 };
    let resting: ReturnType<typeof setTimeout> | undefined;
    const lift = () => clearTimeout(resting);

    const onpointerdown = (event: PointerEvent) => {
      lift();
      isTouch = event.pointerType === "touch";
      wasLong = false;
      from = { x: event.clientX, y: event.clientY };
      const index = cellOf(event.target);
      if (!isTouch || index === null) return;
      resting = setTimeout(() => {
        wasLong = true;
        onselect(index, "toggle");
      }, LONG_PRESS);
    };
    const onpointermove = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > MAX_MOVEMENT) lift();
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
    element.addEventListener("pointerup", lift, { signal });
    element.addEventListener("pointercancel", lift, { signal });
    element.addEventListener("click", onclick, { signal });
    element.addEventListener("dblclick", ondblclick, { signal });
    element.addEventListener("contextmenu", oncontextmenu, { signal });
    return () => {
      lift();
      ending.abort();
    };
  };
}
