// Tooltips: one element for the whole page, shown after a moment of pointing and at once for keyboard focus. Its text
// is the control's accessible name already, so it is hidden from screen readers.
import type { Attachment } from "svelte/attachments";
import { keyCaps, presentKey } from "../keys";
import "./tooltip.css";

export interface TooltipContent {
  text: string;
  keys?: string | undefined;
}

const DELAY = 450;
/** Moving from one control to the next shows the next tooltip at once. */
const LINGER = 250;
const GAP = 6;

let element: HTMLElement | null = null;
let owner: Element | null = null;
/** The control under the pointer, with a tooltip shown or pending. */
let pointed: HTMLElement | null = null;
/** A control that moved below the resting pointer, which is not pointed at yet. */
let restingOn: HTMLElement | null = null;
/** The last position of the pointer. */
let rest = { x: NaN, y: NaN };
let timer: ReturnType<typeof setTimeout> | undefined;
let hiddenAt = -Infinity;
let quiet = false;

/** Runs work without tooltips: a focus that moves meanwhile was not moved by the user. */
export function withoutTooltips(work: () => void): void {
  quiet = true;
  try {
    work();
  } finally {
    quiet = false;
  }
}

// Registered after the controls' handlers, which compare with the former position.
window.addEventListener("pointermove", ({ clientX: x, clientY: y }) => void (rest = { x, y }), { passive: true });
window.addEventListener("scroll", ({ target }) => onScroll(target), { capture: true, passive: true });

/** True if the pointer itself moved: engines also report enter and move events when the element below it moves. */
function hasMoved({ clientX, clientY }: PointerEvent): boolean {
  return clientX !== rest.x || clientY !== rest.y;
}

function onScroll(scroller: EventTarget | null): void {
  if (!(scroller instanceof Node)) return;
  if (pointed && scroller.contains(pointed)) {
    restingOn = pointed;
    stopPointing();
    hiddenAt = -Infinity;
  }
  // A focused element is scrolled to.
  if (element && owner && scroller.contains(owner)) place(element, owner);
}

/** `{@attach tooltip(() => ({ text, keys }))}` */
export function tooltip(content: () => TooltipContent): Attachment<HTMLElement> {
  return (target) => {
    const soon = () => {
      clearTimeout(timer);
      restingOn = null;
      pointed = target;
      const wait = performance.now() - hiddenAt < LINGER ? 0 : DELAY;
      timer = setTimeout(() => show(target, content()), wait);
    };
    const enter = (event: PointerEvent) => {
      if (hasMoved(event)) soon();
      else restingOn = target;
    };
    const move = (event: PointerEvent) => {
      if (restingOn === target && hasMoved(event)) soon();
    };
    const onFocus = () => {
      if (!quiet && target.matches(":focus-visible")) show(target, content());
    };
    const leave = () => {
      clearTimeout(timer);
      if (restingOn === target) restingOn = null;
      if (pointed === target) pointed = null;
      if (owner === target) hide();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") leave();
    };
    target.addEventListener("pointerenter", enter);
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerleave", leave);
    target.addEventListener("pointerdown", leave);
    target.addEventListener("focus", onFocus);
    target.addEventListener("blur", leave);
    target.addEventListener("keydown", onKey);
    return () => {
      leave();
      target.removeEventListener("pointerenter", enter);
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerleave", leave);
      target.removeEventListener("pointerdown", leave);
      target.removeEventListener("focus", onFocus);
      target.removeEventListener("blur", leave);
      target.removeEventListener("keydown", onKey);
    };
  };
}

function show(target: Element, { text, keys }: TooltipContent): void {
  hide();
  owner = target;
  element = document.createElement("div");
  element.className = "tooltip";
  element.ariaHidden = "true";
  element.append(text);
  if (keys !== undefined) {
    const caps = document.createElement("kbd");
    caps.textContent = keyCaps(presentKey(keys)).join(" ");
    element.append(caps);
  }
  // A modal dialog makes everything outside of it inert and covers it.
  (target.closest("dialog") ?? document.body).append(element);
  place(element, target);
}

function stopPointing(): void {
  clearTimeout(timer);
  if (owner === pointed) hide();
  pointed = null;
}

function hide(): void {
  if (element) hiddenAt = performance.now();
  element?.remove();
  element = null;
  owner = null;
}

/**
 * Places it below the control, or above if there is no room; beside a control at the left edge (the activity bar),
 * unless others are there.
 */
function place(tip: HTMLElement, target: Element): void {
  const { width, height } = tip.getBoundingClientRect();
  const anchor = target.getBoundingClientRect();
  const isBeside = anchor.right < 60 && target.closest("[role=toolbar]") === null;
  const below = anchor.bottom + GAP + height <= window.innerHeight;
  const top = isBeside ? anchor.top + (anchor.height - height) / 2 : below ? anchor.bottom + GAP : anchor.top - GAP - height;
  const left = isBeside ? anchor.right + GAP : anchor.left + (anchor.width - width) / 2;
  tip.style.top = `${Math.round(top)}px`;
  tip.style.left = `${Math.round(Math.max(GAP, Math.min(left, window.innerWidth - width - GAP)))}px`;
}
