// The columns of the table of pages beside the titles, remembered on this device.

const PLACE = "page-columns";
const MAX_COLUMNS = 20;

/** The columns that every page has. */
export const OWN_COLUMNS = ["path", "tags", "updated", "author"] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];
const INITIAL = ["path", "tags", "updated"];

export class ShownColumns {
  #names = $state.raw<readonly string[]>(INITIAL);

  /** A browser may refuse to store anything, and throws when the storage is accessed. */
  constructor(private readonly storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage) {
    try {
      const stored: unknown = JSON.parse(storage().getItem(PLACE) ?? "null");
      if (Array.isArray(stored)) this.#names = stored.filter((name): name is string => typeof name === "string").slice(0, MAX_COLUMNS);
    } catch {
      // Refused, or damaged: the initial columns are shown.
    }
  }

  get names(): readonly string[] {
    return this.#names;
  }

  toggle(name: string): void {
    this.#names = this.#names.includes(name) ? this.#names.filter((one) => one !== name) : [...this.#names, name].slice(-MAX_COLUMNS);
    try {
      this.storage().setItem(PLACE, JSON.stringify(this.#names));
    } catch {
      // Refused, or full: they are remembered while the view is open.
    }
  }
}
