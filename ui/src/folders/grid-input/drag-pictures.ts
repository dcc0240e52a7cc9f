// Dragging pictures out of the grid with the mouse: the selection if the pointer is on it, otherwise the picture under
// the pointer.
import type { Attachment } from "svelte/attachments";
import { type TransferredPicture, writePictures } from "../../editing/files/picture-transfer";
import { cellOf } from "./cell-press";

/** Attaches to the element that contains cells with their `data-index`: `{@attach dragging(pictures)}`. */
export function dragPictures(picturesAt: (index: number) => readonly TransferredPicture[]): Attachment<HTMLElement> {
  return (element) => {
    let isTouch = false;
    const onpointerdown = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === "touch";
    };
    const ondragstart = (event: DragEvent) => {
      const index = cellOf(event.target);
      if (index === null || event.dataTransfer === null) return;
      // A long touch selects.
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
