// The sizes that pictures and diagrams had when they were seen on this device: the next time, there is room for them
// before they are there. What is lost of it costs no more than that.

export interface Size {
  width: number;
  height: number;
}

/** What the browser keeps: rows of a name, a width and a height, of which the last was seen last. */
const PLACE = "seen-sizes";
const MOST = 1_000;
/** More is no size: the room for it would have no end. */
const LARGEST = 100_000;
/** So long after the first that is new, what was seen is written down together, in milliseconds. */
const REST = 1_000;

export class SeenSizes {
  /** As it was written down when it was looked at last; null until it is. */
  #written: Map<string, Size> | null = null;
  /** What was seen since; null for what has no size any more. */
  readonly #fresh = new Map<string, Size | null>();

  /** A browser may refuse to keep anything, and says so to whoever only asks for the place. */
  constructor(private readonly storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage) {}

  get(what: string): Size | null {
    const name = shortened(what);
    const fresh = this.#fresh.get(name);
    if (fresh !== undefined) return fresh;
    this.#written ??= this.#read();
    return this.#written.get(name) ?? null;
  }

  note(what: string, { width, height }: Size): void {
    this.#change(what, { width, height });
  }

  /** It can't be shown any more. */
  forget(what: string): void {
    if (this.get(what) !== null) this.#change(what, null);
  }

  #change(what: string, size: Size | null): void {
    if (this.#fresh.size === 0) setTimeout(() => this.#write(), REST);
    this.#fresh.set(shortened(what), size);
  }

  /** Adds to what is there by now: other tabs write to the same place. */
  #write(): void {
    const sizes = this.#read();
    for (const [name, size] of this.#fresh) {
      sizes.delete(name);
      if (size !== null) sizes.set(name, size);
    }
    this.#fresh.clear();
    const newest = [...sizes].slice(-MOST);
    this.#written = new Map(newest);
    try {
      this.storage().setItem(PLACE, JSON.stringify(newest.map(([name, { width, height }]) => [name, width, height])));
    } catch {
      // Refused, or full: then it is remembered for less long.
    }
  }

  #read(): Map<string, Size> {
    try {
      const rows: unknown = JSON.parse(this.storage().getItem(PLACE) ?? "[]");
      return new Map(Array.isArray(rows) ? rows.filter(isRow).map(([name, width, height]) => [name, { width, height }]) : []);
    } catch {
      // Refused, or written by somebody else.
      return new Map(this.#written);
    }
  }
}

/** What all rooms share. */
export const seenSizes = new SeenSizes();

function isRow(row: unknown): row is [name: string, width: number, height: number] {
  if (!Array.isArray(row) || row.length !== 3) return false;
  const [name, ...sides] = row as unknown[];
  return typeof name === "string" && sides.every((side) => typeof side === "number" && side > 0 && side <= LARGEST);
}

/** FNV-1a. Where two share a name, which is rare, one of them is left the room of the other. */
function shortened(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
