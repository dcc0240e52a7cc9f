// Focus handling for removed elements: the focus returns to where it came from, or to the view.
import type { Attachment } from "svelte/attachments";

/** `{@attach keepFocus()}` on an element that is shown temporarily. */
export function keepFocus(): Attachment<HTMLElement> {
  return (element) => {
    let inside = false;
    let from: Element | null = null;
    let leaving: ReturnType<typeof setTimeout> | undefined;
    const onFocusIn = ({ relatedTarget }: FocusEvent) => {
      clearTimeout(leaving);
      inside = true;
      if (relatedTarget instanceof Element && !element.contains(relatedTarget)) from = relatedTarget;
    };
    // Some engines report the lost focus on removal, others do not: a moment later both are alike.
    const onFocusOut = () => (leaving = setTimeout(() => (inside = false)));
    element.addEventListener("focusin", onFocusIn);
    element.addEventListener("focusout", onFocusOut);
    return () => {
      element.removeEventListener("focusin", onFocusIn);
      element.removeEventListener("focusout", onFocusOut);
      clearTimeout(leaving);
      if (inside) queueMicrotask(() => moveFocusTo(from));
    };
  };
}

/**
 * Gives the focus to an element, or to the view if the element is gone; a focus that is elsewhere by now stays there.
 */
export function moveFocusTo(to: Element | null): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  if (to instanceof HTMLElement && to.isConnected) to.focus({ preventScroll: true });
  if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}
