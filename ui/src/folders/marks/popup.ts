// Places a list below its field, above all elements that scroll or clip: a bar, a panel, a dialog.

const GAP = 4;
/** The maximum height of a list. A partly visible item shows that there are more. */
const HEIGHT = 148;

/**
 * Shows the list. Returns a function that ends it. Without popovers in the engine, the list stays at the position of
 * its styles.
 */
export function showPopup(list: HTMLElement, field: HTMLElement): () => void {
  if (!("showPopover" in list)) return () => {};
  const ending = new AbortController();
  const place = () => {
    const { left, width, top, bottom } = field.getBoundingClientRect();
    const below = innerHeight - bottom - 2 * GAP;
    const isAbove = below < HEIGHT && top > below;
    Object.assign(list.style, {
      left: `${left}px`,
      width: `${width}px`,
      top: isAbove ? "auto" : `${bottom + GAP}px`,
      bottom: isAbove ? `${innerHeight - top + GAP}px` : "auto",
      maxHeight: `${Math.min(HEIGHT, isAbove ? top - 2 * GAP : below)}px`,
    });
  };
  list.popover = "manual";
  list.showPopover();
  place();
  addEventListener("scroll", place, { capture: true, passive: true, signal: ending.signal });
  addEventListener("resize", place, { signal: ending.signal });
  return () => {
    ending.abort();
    list.hidePopover();
  };
}
