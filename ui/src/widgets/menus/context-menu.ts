// Context menus of the objects in an element: by a right click, a long touch, the menu key or Shift F10.

export interface MenuPlace {
  x: number;
  y: number;
}

/**
 * Calls `open` with the element below the pointer, or with the focus. If it returns false, the browser's own menu opens.
 * Returns a function that stops it.
 */
export function listenForMenus(root: HTMLElement, open: (target: Element, at: MenuPlace) => boolean): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const request = (event: Event, target: EventTarget | null, at: MenuPlace) => {
    if (event.defaultPrevented || !(target instanceof Element) || !open(target, at)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("contextmenu", (event) => request(event, event.target, { x: event.clientX, y: event.clientY }), { signal });
  root.addEventListener(
    "keydown",
    (event) => {
      const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
      if (isMenuKey && event.target instanceof Element) request(event, event.target, below(event.target));
    },
    { signal },
  );
  return () => listening.abort();
}

function below(element: Element): MenuPlace {
  // A link of several lines: below its first one.
  const { left, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect();
  return { x: left, y: bottom };
}
