// The full view: one element on the whole screen, with nothing beside it. Its controls hide while there is no input.

/** The time without input after which the controls hide, in milliseconds. */
const PATIENCE = 2_500;
const ACTIVITY_EVENTS = ["pointermove", "pointerdown", "wheel", "keydown"] as const;
const FOCUSABLE = "button:not(:disabled), summary, input, select, [tabindex='0'], a[href]:not([tabindex='-1'])";

export class Fullscreen {
  isOn = $state(false);
  /** True if the controls are hidden. */
  isIdle = $state(false);

  readonly toggle = (): void => (this.isOn ? this.leave() : this.enter());

  readonly enter = (): void => {
    if (this.isOn) return;
    this.isOn = true;
    void this.#takeScreen();
  };

  readonly leave = (): void => {
    if (!this.isOn) return;
    this.isOn = false;
    void this.#giveBack();
  };

  /** Watches the input while the full view is on. Returns a function that stops it. */
  watch(element: HTMLElement): () => void {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = "";
    const rest = () => {
      // Keyboard users must see the focus.
      if (element.querySelector(":focus-visible")) wake();
      else this.isIdle = true;
    };
    const wake = () => {
      this.isIdle = false;
      clearTimeout(timer);
      timer = setTimeout(rest, PATIENCE);
    };
    const onactivity = (event: Event) => {
      if (event.type === "pointermove" && event instanceof MouseEvent) {
        // Some engines report a movement if only the element below the pointer has changed.
        const place = `${event.screenX} ${event.screenY}`;
        if (place === last) return;
        last = place;
      }
      wake();
    };
    for (const name of ACTIVITY_EVENTS) window.addEventListener(name, onactivity, { signal, capture: true, passive: true });
    window.addEventListener("keydown", (event) => goAround(element, event), { signal });
    document.addEventListener("fullscreenchange", () => document.fullscreenElement ?? (this.isOn = false), { signal });
    wake();
    return () => {
      ending.abort();
      clearTimeout(timer);
      this.isIdle = false;
    };
  }

  /**
   * Requests full screen for the whole page, so that messages, tooltips and the palette stay visible above the element.
   */
  async #takeScreen(): Promise<void> {
    if (!document.fullscreenEnabled || document.fullscreenElement) return;
    try {
      await document.documentElement.requestFullscreen();
    } catch {
      // If the system refuses, the picture fills the window.
      return;
    }
    if (!this.isOn) await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    if (!document.fullscreenElement) return;
    try {
      await document.exitFullscreen();
    } catch {
      // It was ended elsewhere at the same moment.
    }
  }
}

/** Keeps Tab within the element: the elements below it are hidden and must not get the focus. */
function goAround(element: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab" || event.defaultPrevented) return;
  const { activeElement } = document;
  // A dialog above it has its own focus order.
  if (activeElement?.closest("dialog")) return;
  const stops = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
  const isAtEnd = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!isAtEnd) return;
  event.preventDefault();
  // The focus moved by a key. Some engines show that only on request, if the last focus came from the pointer.
  const options: FocusOptions & { focusVisible: boolean } = { focusVisible: true };
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus(options);
}
