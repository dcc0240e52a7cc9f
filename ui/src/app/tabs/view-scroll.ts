// Keeps the scroll position of a view in its entry of the history, and restores it when the view is shown again.
import type { Attachment } from "svelte/attachments";
import type { Pane } from "../pane.svelte";

const REST_MS = 120;
/** A view that has not become tall enough by then has changed. */
const PATIENCE_MS = 3_000;
/** The share of the pane's height from which an element counts as its main area. */
const MAIN_SHARE = 0.5;
const MAX_ELEMENTS = 600;

/** Pages keep the place themselves: their text arrives in parts. */
const OWN = new Set(["wiki", "trashedPage", "edit"]);

export function keepScroll(pane: Pane): Attachment<HTMLElement> {
  return (element) => {
    const ending = new AbortController();
    const options = { capture: true, passive: true, signal: ending.signal };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isMain = (area: Element) => area.clientHeight >= element.clientHeight * MAIN_SHARE && area.clientWidth >= element.clientWidth * MAIN_SHARE;
    const onscroll = ({ target }: Event) => {
      if (!(target instanceof Element) || !isMain(target) || OWN.has(pane.router.route.name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => pane.router.keep({ scroll: target.scrollTop }), REST_MS);
    };

    const { scroll = 0 } = (pane.router.kept ?? {}) as { scroll?: number };
    let isWaiting = scroll > 0 && !OWN.has(pane.router.route.name);
    const end = performance.now() + PATIENCE_MS;
    const restore = () => {
      if (!isWaiting || performance.now() > end) return start();
      const areas = [element, ...[...element.querySelectorAll("*")].slice(0, MAX_ELEMENTS)];
      const area = areas.find((one) => isMain(one) && one.scrollHeight - one.clientHeight >= scroll && scrolls(one));
      if (area === undefined) return void requestAnimationFrame(restore);
      area.scrollTop = scroll;
      start();
    };
    const start = () => {
      isWaiting = false;
      element.addEventListener("scroll", onscroll, options);
    };
    // The user is faster.
    for (const kind of ["wheel", "pointerdown", "keydown"]) element.addEventListener(kind, () => (isWaiting = false), options);
    restore();
    return () => {
      isWaiting = false;
      clearTimeout(timer);
      ending.abort();
    };
  };
}

function scrolls(element: Element): boolean {
  return ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
}
