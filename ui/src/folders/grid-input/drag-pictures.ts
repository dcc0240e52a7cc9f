// Dragging pictures out of the grid with the mouse: the selection if the pointer is on it, otherwise the picture under
// the pointer. Other programs get the files from the window, and a link to the first one from a browser.
import type { Attachment } from "svelte/attachments";
import type { FilePlace } from "../../api/backend";
import { type TransferredPicture, writeLink, writePictures } from "../../editing/files/picture-transfer";
import { cellOf } from "./cell-press";

/** The files of a drag. */
export interface DraggedFiles {
  /** Those that a page can show. */
  pictures: readonly TransferredPicture[];
  /** All, with videos. */
  files: readonly FilePlace[];
  /** The address of the first file, and its name. */
  url: string;
  name: string;
}

/**
 * Attaches to the element that contains cells with their `data-index`: `{@attach dragging(files, ondrag)}`. `ondrag` is
 * called when a drag starts, with the link that it carries.
 */
export function dragPictures(
  filesAt: (index: number) => DraggedFiles | null,
  ondrag: (link: string, files: readonly FilePlace[]) => void,
): Attachment<HTMLElement> {
  return (element) => {
    let isTouch = false;
    const onpointerdown = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === "touch";
    };
    const ondragstart = (event: DragEvent) => {
      const index = cellOf(event.target);
      if (index === null || event.dataTransfer === null) return;
      // A long touch selects.
      const dragged = isTouch ? null : filesAt(index);
      if (dragged === null) {
        event.preventDefault();
        return;
      }
      writePictures(event.dataTransfer, dragged.pictures);
      ondrag(writeLink(event.dataTransfer, dragged.url, dragged.name), dragged.files);
    };
    const ending = new AbortController();
    const { signal } = ending;
    element.addEventListener("pointerdown", onpointerdown, { signal });
    element.addEventListener("dragstart", ondragstart, { signal });
    return () => ending.abort();
  };
}
