// Whether the link map is shown, remembered on this device, and the key that asks for it before its panel is open.

const PLACE = "link-map";

export class MapView {
  #isOpen = $state(false);
  #asked = $state(false);

  /** A browser may refuse to store anything, and throws when it is asked for the storage. */
  constructor(private readonly storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage) {
    try {
      this.#isOpen = storage().getItem(PLACE) === "open";
    } catch {
      // Refused: the map begins closed.
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
      // Refused, or full: it is remembered as long as the page is shown.
    }
  }

  /** Notes that the key was pressed. */
  ask(): void {
    this.#asked = true;
  }

  /** Whether the key was pressed, once for each time. Reactive. */
  answer(): boolean {
    const asked = this.#asked;
    if (asked) this.#asked = false;
    return asked;
  }
}
