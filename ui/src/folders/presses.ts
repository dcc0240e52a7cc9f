// What presses on the cells of a grid mean. The mouse selects by a press and opens by two; a finger, which has no double
// press, opens by a short one and selects by a long one.
import type { Attachment } from "svelte/attachments";
import { type Selecting, selectingBy } from "./selecting";

/** A finger that rests so long selects, in milliseconds. */
export const LONG_PRESS = 500;
/** A finger that has gone so far scrolls, in pixels. */
const STILL = 10;

export interface PressHandlers {
  onselect: (index: number, how: Selecting) => void;
  onopen: (index: number) => void;
  /** A finger has touched what is no cell. */
  onclear: () => void;
}

/** The cell in which something is; null where that is in none. */
export function cellOf(target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return cell ? Number(cell.dataset["index"]) : null;
}

/** `{@attach presses(handlers)}` on what holds cells with their `data-index`. */
export function presses({ onselect, onopen, onclear }: PressHandlers): Attachment<HTMLElement> {
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
      if (Math.hypot(clientX - from.x, clientY - from.y) > STILL) lift();
    };
    const onclick = (event: MouseEvent) => {
      const index = cellOf(event.target);
      // The long press has done its work.
      if (isTouch && wasLong) return;
      if (isTouch && index === null) onclear();
      else if (isTouch && index !== null) onopen(index);
      else if (index !== null) onselect(index, selectingBy(event));
    };
    const ondblclick = (event: MouseEvent) => {
      const index = cellOf(event.target);
      if (!isTouch && index !== null && selectingBy(event) === "only") onopen(index);
    };
    // A long press of a finger asks for a menu in some systems.
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
