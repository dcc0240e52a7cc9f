// The visibility of the link map, remembered on this device, and the key that requests it before its panel is open.

const PLACE = "link-map";

export class MapView {
  #isOpen = $state(false);
  #asked = $state(false);

  /** A browser may refuse to store anything, and throws when the storage is accessed. */
  constructor(private readonly storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage) {
    try {
      this.#isOpen = storage().getItem(PLACE) === "open";
    } catch {
      // Refused: the map starts closed.
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    try {
      this.storage().setItem(PLACE, isOpen ? "open" : "closed");
    } catch {
      // Refused, or full: it is remembered while the page is open.
    }
  }

  /** Records a press of the key. */
  ask(): void {
    this.#asked = true;
  }

  /** Returns each press of the key once. Reactive. */
  answer(): boolean {
    const wasRequested = this.#asked;
    if (wasRequested) this.#asked = false;
    return wasRequested;
  }
}
