// The full view: one thing on the whole screen, with nothing beside it. What can be done there hides while nobody moves.

/** After so long without a movement there is only the picture, in milliseconds. */
const PATIENCE = 2_500;
const STIRS = ["pointermove", "pointerdown", "wheel", "keydown"] as const;
const FOCUSABLE = "button:not(:disabled), summary, input, select, [tabindex='0'], a[href]:not([tabindex='-1'])";

export class FullView {
  isOn = $state(false);
  /** Whether what can be done there is hidden. */
  isResting = $state(false);

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

  /** While it is on. Returns how to end that. */
  watch(element: HTMLElement): () => void {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = "";
    const rest = () => {
      // Whoever walks by the keyboard must see where they are.
      if (element.querySelector(":focus-visible")) stir();
      else this.isResting = true;
    };
    const stir = () => {
      this.isResting = false;
      clearTimeout(timer);
      timer = setTimeout(rest, PATIENCE);
    };
    const onstir = (event: Event) => {
      if (event.type === "pointermove" && event instanceof MouseEvent) {
        // Some engines tell of a movement when only what lies beneath the pointer has changed.
        const place = `${event.screenX} ${event.screenY}`;
        if (place === last) return;
        last = place;
      }
      stir();
    };
    for (const name of STIRS) window.addEventListener(name, onstir, { signal, capture: true, passive: true });
    window.addEventListener("keydown", (event) => goAround(element, event), { signal });
    document.addEventListener("fullscreenchange", () => document.fullscreenElement ?? (this.isOn = false), { signal });
    stir();
    return () => {
      ending.abort();
      clearTimeout(timer);
      this.isResting = false;
    };
  }

  /** All of the page, so that messages, tooltips and the palette are seen above it. */
  async #takeScreen(): Promise<void> {
    if (!document.fullscreenEnabled || document.fullscreenElement) return;
    try {
      await document.documentElement.requestFullscreen();
    } catch {
      // Where the system keeps the screen, the window is what there is: the picture has all of that.
      return;
    }
    if (!this.isOn) await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    if (!document.fullscreenElement) return;
    try {
      await document.exitFullscreen();
    } catch {
      // Somebody else has ended it at the same moment.
    }
  }
}

/** What lies beneath is not seen, and must not get the focus: Tab goes around within the element. */
function goAround(element: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab" || event.defaultPrevented) return;
  const { activeElement } = document;
  // A dialog above it has its own ways.
  if (activeElement?.closest("dialog")) return;
  const stops = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
  const isAtEnd = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!isAtEnd) return;
  event.preventDefault();
  // Led here by a key: some engines show that only if told, where the last one was led by the pointer.
  const shown: FocusOptions & { focusVisible: boolean } = { focusVisible: true };
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus(shown);
}
