// Stubs of browser features that the tests' document lacks: modal dialogs, media queries, sizes, intersections,
// scrolling, captured pointers, canvases.
import { configure } from "@testing-library/dom";
import { afterEach, vi } from "vitest";
import { loadLocale } from "../i18n";

/** A bound of waits that end with what they wait for. A view loads its code when it is opened: seconds on a busy machine. */
const PATIENCE = 20_000;
configure({ asyncUtilTimeout: PATIENCE });
const { waitFor } = vi;
vi.waitFor = (callback, options) => waitFor(callback, typeof options === "number" ? options : { timeout: PATIENCE, ...options });

// Tests change the language without waiting.
await Promise.all([loadLocale("en"), loadLocale("ja")]);

// Code that a test has requested and that loads after its end would fail without a document, and the whole run with it.
afterEach(async () => {
  if (!vi.isFakeTimers()) await vi.dynamicImportSettled();
});

/** The engine is not WebKit, although jsdom reports it; tests of WebKit's behaviour set this themselves. */
Object.defineProperty(Navigator.prototype, "vendor", { configurable: true, get: () => "" });

HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.setAttribute("open", "");
  this.dataset["modal"] = "";
  const first = this.querySelector<HTMLElement>("[autofocus]") ?? this.querySelector<HTMLElement>("input, button");
  first?.focus();
};
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.removeAttribute("open");
};

Element.prototype.scrollIntoView = () => {};
Element.prototype.setPointerCapture = () => {};
HTMLCanvasElement.prototype.getContext = () => null;
HTMLImageElement.prototype.decode = () => Promise.resolve();

/** No query matches: a wide, light screen without special preferences. */
window.matchMedia = (media: string) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
  });

/** Every element is a screen of 1,000 × 800. */
const SIZE = { clientWidth: 1_000, clientHeight: 800 };
for (const [name, value] of Object.entries(SIZE)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
}
/** Everything is in view at once. */
window.IntersectionObserver = class implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = "";
  readonly scrollMargin = "";
  readonly thresholds = [];
  constructor(private readonly callback: IntersectionObserverCallback) {}
  observe(target: Element): void {
    const rect = new DOMRect();
    const entry = { target, isIntersecting: true, intersectionRatio: 1, time: 0, boundingClientRect: rect, intersectionRect: rect, rootBounds: null };
    queueMicrotask(() => this.callback([entry], this));
  }
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
};
window.ResizeObserver = class implements ResizeObserver {
  #connected = true;
  constructor(private readonly callback: ResizeObserverCallback) {}
  observe(target: Element): void {
    const size = { inlineSize: SIZE.clientWidth, blockSize: SIZE.clientHeight };
    const entry = { target, contentRect: new DOMRect(), contentBoxSize: [size], borderBoxSize: [size] };
    queueMicrotask(() => {
      if (this.#connected) this.callback([{ ...entry, devicePixelContentBoxSize: [size] }], this);
    });
  }
  unobserve(): void {}
  disconnect(): void {
    this.#connected = false;
  }
};
