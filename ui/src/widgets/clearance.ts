// How much of the lower edge is taken by the foot and what stands right above it, so that messages keep clear of it.
import type { Attachment } from "svelte/attachments";

const heights = new Map<Element, number>();

/** `{@attach clearance()}` on what stands there. */
export function clearance(): Attachment<HTMLElement> {
  return (element) => {
    const observer = new ResizeObserver(() => {
      heights.set(element, element.offsetHeight);
      tell();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      heights.delete(element);
      tell();
    };
  };
}

function tell(): void {
  const sum = [...heights.values()].reduce((all, height) => all + height, 0);
  document.documentElement.style.setProperty("--beneath", `${sum}px`);
}
