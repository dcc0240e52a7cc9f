// Keyboard access to the list of a part of the view.
import type { Attachment } from "svelte/attachments";
import { isComposing } from "../../keys";

/**
 * Moves into the list on Arrow down, if nothing else in the view handles the key. Attaches to a child of the view's
 * element.
 */
export function focusesList(enter: () => void): Attachment<HTMLElement> {
  return (part) => {
    const onkeydown = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== "ArrowDown" || event.defaultPrevented || isComposing(event)) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (!(target instanceof HTMLElement) || target.matches("input, select, textarea")) return;
      if (!target.contains(part) && !part.parentElement?.contains(target)) return;
      event.preventDefault();
      enter();
    };
    window.addEventListener("keydown", onkeydown);
    return () => window.removeEventListener("keydown", onkeydown);
  };
}
