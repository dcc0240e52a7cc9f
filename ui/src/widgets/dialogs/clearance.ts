// The height of the status bar and the elements right above it, which messages keep clear of.
import type { Attachment } from "svelte/attachments";

const heights = new Map<Element, number>();

/** `{@attach clearance()}` on an element there. */
export function clearance(): Attachment<HTMLElement> {
  return (element) => {
    const observer = new ResizeObserver(() => {
      heights.set(element, element.offsetHeight);
      update();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      heights.delete(element);
      update();
    };
  };
}

function update(): void {
  const sum = [...heights.values()].reduce((all, height) => all + height, 0);
  document.documentElement.style.setProperty("--clearance", `${sum}px`);
}
