// Pictures are dragged out of the grid by the mouse: what is selected where that is, or else what is under the pointer.
import type { Attachment } from "svelte/attachments";
import { type GivenPicture, writePictures } from "../editing/given-pictures";
import { cellOf } from "./presses";

/** `{@attach dragging(pictures)}` on what holds cells with their `data-index`. */
export function dragging(picturesAt: (index: number) => readonly GivenPicture[]): Attachment<HTMLElement> {
  return (element) => {
    let isTouch = false;
    const onpointerdown = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === "touch";
    };
    const ondragstart = (event: DragEvent) => {
      const index = cellOf(event.target);
      if (index === null || event.dataTransfer === null) return;
      // A finger that rests selects.
      const pictures = isTouch ? [] : picturesAt(index);
      if (pictures.length === 0) event.preventDefault();
      else writePictures(event.dataTransfer, pictures);
    };
    const ending = new AbortController();
    const { signal } = ending;
    element.addEventListener("pointerdown", onpointerdown, { signal });
    element.addEventListener("dragstart", ondragstart, { signal });
    return () => ending.abort();
  };
}
