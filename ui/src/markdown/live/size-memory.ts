// The sizes of pictures and diagrams when they were last seen on this device, so that the next visit can reserve their
// space. Losing them costs nothing else.

export interface Size {
  width: number;
  height: number;
}

/** The storage key. The value is rows of a name, a width and a height, the most recently seen last. */
const PLACE = "seen-sizes";
const MAX_SIZES = 1_000;
/** The maximum length that counts as a size: without it the reserved space would be unbounded. */
const LARGEST = 100_000;
/** The delay after the first new size until all new sizes are stored together, in milliseconds. */
const WRITE_DELAY = 1_000;

export class SizeMemory {
  /** The text that was last read from the storage, parsed; null until then. */
  #written: Map<string, Size> | null = null;
  /** The sizes since the last write; null for an item that has lost its size. */
  readonly #fresh = new Map<string, Size | null>();

  /** Creates the sizes. A browser may refuse all storage, and throws on mere access to it. */
  constructor(private readonly storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage) {}

  get(key: string): Size | null {
    const name = shortened(key);
    const fresh = this.#fresh.get(name);
    if (fresh !== undefined) return fresh;
    this.#written ??= this.#read();
    return this.#written.get(name) ?? null;
  }

  note(key: string, { width, height }: Size): void {
    this.#change(key, { width, height });
  }

  /** Drops the size of an item that can't be shown any more. */
  forget(key: string): void {
    if (this.get(key) !== null) this.#change(key, null);
  }

  #change(key: string, size: Size | null): void {
    if (this.#fresh.size === 0) setTimeout(() => this.#write(), WRITE_DELAY);
    this.#fresh.set(shortened(key), size);
  }

  /** Adds to the currently stored sizes: other tabs write to the same key. */
  #write(): void {
    const sizes = this.#read();
    for (const [name, size] of this.#fresh) {
      sizes.delete(name);
      if (size !== null) sizes.set(name, size);
    }
    this.#fresh.clear();
    const newest = [...sizes].slice(-MAX_SIZES);
    this.#written = new Map(newest);
    try {
      this.storage().setItem(PLACE, JSON.stringify(newest.map(([name, { width, height }]) => [name, width, height])));
    } catch {
      // The storage refused or is full: the sizes are lost sooner.
    }
  }

  #read(): Map<string, Size> {
    try {
      const rows: unknown = JSON.parse(this.storage().getItem(PLACE) ?? "[]");
      return new Map(Array.isArray(rows) ? rows.filter(isRow).map(([name, width, height]) => [name, { width, height }]) : []);
    } catch {
      // The storage refused, or the value has another format.
      return new Map(this.#written);
    }
  }
}

/** The instance that all views share. */
export const sizeMemory = new SizeMemory();

function isRow(row: unknown): row is [name: string, width: number, height: number] {
  if (!Array.isArray(row) || row.length !== 3) return false;
  const [name, ...sides] = row as unknown[];
  return typeof name === "string" && sides.every((side) => typeof side === "number" && side > 0 && side <= LARGEST);
}

/** Returns an FNV-1a hash. If two names share one, which is rare, the two items share a reserved size. */
function shortened(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
