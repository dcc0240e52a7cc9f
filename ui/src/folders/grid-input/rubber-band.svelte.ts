// The rectangle that the mouse draws over the grid: it selects the cells that it touches.
import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";
import { cellsIn, cellsOf, columnOf, contentTop, edgeSpeed, type Rectangle, type Shape } from "../grid-layout/grid-geometry";
import { cellOf } from "./cell-press";
import { selectionModeOf } from "../selection/selection-mode";
import { NOTHING, type Selected, type Selection } from "../selection/selection.svelte";

/** The movement below which it is a press, in pixels. */
const MIN_MOVEMENT = 4;
/** The width of overlay scrollbars, which handle presses themselves. */
const OVERLAY_SCROLLBAR = 12;

export interface View {
  shape: Shape;
  scrollTop: number;
  width: number;
  height: number;
}

export interface BandHandlers {
  /** Called on a press outside the cells. */
  onpress: () => void;
  /** Scrolls the content to an offset, in pixels. */
  scrollTo: (top: number) => void;
}

interface Point {
  x: number;
  y: number;
}

interface Drawing {
  /** The start of the rectangle in the content. */
  from: Point;
  selected: Selected;
  adds: boolean;
}

export class RubberBand {
  #drawing = $state.raw<Drawing | null>(null);
  /** The pointer in the view; null until it has moved. */
  #pointer = $state.raw<Point | null>(null);
  readonly #rectangle = $derived.by(() => this.#between(this.#drawing?.from, this.#pointer));
  readonly #cells = $derived.by(() => {
    const { shape } = this.view();
    return this.#rectangle && cellsIn(shape, this.#rectangle);
  });
  /** A key that is equal as long as the same cells are touched; null while nothing is drawn. */
  readonly #touched = $derived(this.#rectangle && Object.values(this.#cells ?? {}).join());

  constructor(
    private readonly selection: Selection,
    private readonly view: () => View,
    private readonly handlers: BandHandlers,
  ) {}

  /** The visible part, in coordinates of the scrolled element; null while nothing is drawn. */
  get visible(): Rectangle | null {
    if (!this.#rectangle) return null;
    const { shape, scrollTop, width, height } = this.view();
    const above = contentTop(shape, scrollTop, height);
    const { left, top, right, bottom } = this.#rectangle;
    // Limited to the view: engines drop very large elements, and there is nothing to scroll to beyond the last row.
    const clamped = (y: number) => Math.min(Math.max(y - above, -2), height) + scrollTop;
    return { left: Math.max(0, left), top: clamped(top), right: Math.min(width, right), bottom: clamped(bottom) };
  }

  /** Attaches to the scrolled element: `{@attach band.attach}`. */
  readonly attach: Attachment<HTMLElement> = (scroller) => {
    $effect(() => {
      if (this.#touched !== null) untrack(() => this.#select());
    });
    let drawn: AbortController | null = null;

    const onmousedown = (event: MouseEvent) => {
      if (event.button !== 0 || !isOutsideCells(event, scroller)) return;
      // Keeps the focus in the grid, and selects no text.
      event.preventDefault();
      this.handlers.onpress();
    };
    const onpointerdown = (event: PointerEvent) => {
      if (event.pointerType === "touch" || event.button !== 0 || !isOutsideCells(event, scroller)) return;
      drawn?.abort();
      drawn = new AbortController();
      scroller.setPointerCapture(event.pointerId);
      this.#draw(event, scroller, drawn);
    };
    const ending = new AbortController();
    scroller.addEventListener("mousedown", onmousedown, { signal: ending.signal });
    scroller.addEventListener("pointerdown", onpointerdown, { signal: ending.signal });
    return () => {
      ending.abort();
      drawn?.abort();
    };
  };

  #draw(pressed: PointerEvent, scroller: HTMLElement, drawn: AbortController): void {
    const { signal } = drawn;
    const inView = ({ clientX, clientY }: PointerEvent) => {
      const { left, top } = scroller.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const { shape, scrollTop, height } = this.view();
    const { x, y } = inView(pressed);
    const from = { x, y: y + contentTop(shape, scrollTop, height) };
    this.#drawing = { from, selected: this.selection.now, adds: selectionModeOf(pressed) !== "only" };

    const onpointermove = (event: PointerEvent) => {
      const to = inView(event);
      if (this.#pointer === null && Math.hypot(to.x - x, to.y - y) < MIN_MOVEMENT) return;
      if (this.#pointer === null) this.#scrollAtEdges(signal);
      this.#pointer = to;
    };
    const onpointerup = () => {
      if (this.#pointer === null && !this.#drawing?.adds) this.selection.none();
      // The last touched cells may not have been applied yet.
      if (this.#pointer !== null) this.#select();
      drawn.abort();
    };
    const cancel = () => {
      if (this.#pointer !== null && this.#drawing) this.selection.comeBackTo(this.#drawing.selected);
      drawn.abort();
    };
    const onkeydown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      cancel();
    };
    scroller.addEventListener("pointermove", onpointermove, { signal });
    scroller.addEventListener("pointerup", onpointerup, { signal });
    scroller.addEventListener("pointercancel", cancel, { signal });
    window.addEventListener("keydown", onkeydown, { signal, capture: true });
    signal.addEventListener("abort", () => {
      this.#drawing = null;
      this.#pointer = null;
    });
  }

  #select(): void {
    if (!this.#drawing) return;
    const before = this.#drawing.adds ? this.#drawing.selected : NOTHING;
    const cells = this.#cells;
    if (!cells) {
      this.selection.comeBackTo(before);
      return;
    }
    const { shape } = this.view();
    const { first } = cellsOf(shape, cells.firstRow);
    const last = cellsOf(shape, cells.endRow - 1).end - 1;
    this.selection.block(first, last, { columnOf: (index) => columnOf(shape, index), ...cells }, before);
  }

  #scrollAtEdges(signal: AbortSignal): void {
    let at = performance.now();
    let top = Number.NaN;
    const step = (now: number) => {
      if (signal.aborted) return;
      const { shape, scrollTop, height } = this.view();
      const visibleTop = contentTop(shape, scrollTop, height);
      // Engines round the scroll position, which in a long content is many pixels.
      if (!(Math.abs(visibleTop - top) < shape.rowHeight)) top = visibleTop;
      const way = (edgeSpeed(this.#pointer?.y ?? height / 2, height) * (now - at)) / 1_000;
      at = now;
      if (way !== 0) {
        top = Math.max(0, Math.min(shape.contentHeight - height, top + way));
        this.handlers.scrollTo(top);
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #between(from: Point | undefined, pointer: Point | null): Rectangle | null {
    if (!from || !pointer) return null;
    const { shape, scrollTop, height } = this.view();
    const to = { x: pointer.x, y: pointer.y + contentTop(shape, scrollTop, height) };
    return {
      left: Math.min(from.x, to.x),
      top: Math.min(from.y, to.y),
      right: Math.max(from.x, to.x),
      bottom: Math.max(from.y, to.y),
    };
  }
}

function isOutsideCells(event: MouseEvent, scroller: HTMLElement): boolean {
  // A press on the name of a group follows its link: a captured pointer would never click it.
  const isOnLink = event.target instanceof Element && event.target.closest("a") !== null;
  if (isOnLink || cellOf(event.target) !== null) return false;
  const { clientWidth, clientHeight, offsetWidth, scrollHeight } = scroller;
  const isOverlaid = offsetWidth === clientWidth && scrollHeight > clientHeight;
  return event.clientX - scroller.getBoundingClientRect().left < clientWidth - (isOverlaid ? OVERLAY_SCROLLBAR : 0);
}
