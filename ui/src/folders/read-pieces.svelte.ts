// The pieces of a folder's listing that have come, and what stands in them.
import { SvelteMap } from "svelte/reactivity";
import type { FolderEntry } from "../api/backend";
import { encodeName, type EncodedPath, type NamedBytes } from "../api/names";
import { isMarked, keepingMarks } from "./marks";
import { PIECE, piecesBetween, placeIn } from "./pieces";

export class ReadPieces {
  #pieces = $state.raw(new SvelteMap<number, readonly FolderEntry[]>());

  get size(): number {
    return this.#pieces.size;
  }

  has(piece: number): boolean {
    return this.#pieces.has(piece);
  }

  get numbers(): number[] {
    return [...this.#pieces.keys()];
  }

  /** All that stands in them. */
  get known(): FolderEntry[] {
    return [...this.#pieces.values()].flat();
  }

  /** What stands at a place; undefined until its piece has come. */
  at(index: number): FolderEntry | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  /** What stands from one place to before another; null where not all of that has come. */
  between(first: number, end: number): FolderEntry[] | null {
    const found: FolderEntry[] = [];
    for (const piece of piecesBetween(first, end)) {
      const entries = this.#pieces.get(piece);
      if (!entries) return null;
      found.push(...entries.slice(Math.max(0, first - piece * PIECE), end - piece * PIECE));
    }
    return found;
  }

  /** What stands at a place, what has come after it, and what before it: the nearest first. */
  fromHere(index: number): FolderEntry[] {
    const found: FolderEntry[] = [];
    for (const step of [1, -1]) {
      for (let at = step === 1 ? index : index - 1; ; at += step) {
        const entry = this.at(at);
        if (!entry) break;
        found.push(entry);
      }
    }
    return found;
  }

  /** Where an entry of this name stands: the place that is nearest to another one. */
  placeOf(named: NamedBytes, near: number): number | null {
    return placeIn(this.#pieces, named, near);
  }

  /** Where the first of these is that stands anywhere. */
  placeOfFirst(entries: readonly FolderEntry[]): number | null {
    const places = new Map<EncodedPath, number>();
    for (const [piece, found] of this.#pieces) {
      for (const [at, entry] of found.entries()) places.set(encodeName(entry), piece * PIECE + at);
    }
    const left = entries.find((entry) => places.has(encodeName(entry)));
    return (left && places.get(encodeName(left))) ?? null;
  }

  placeOfName(name: EncodedPath): number | null {
    for (const [piece, entries] of this.#pieces) {
      const at = entries.findIndex((entry) => encodeName(entry) === name);
      if (at >= 0) return piece * PIECE + at;
    }
    return null;
  }

  put(piece: number, entries: readonly FolderEntry[]): void {
    this.#pieces.set(piece, entries);
  }

  /** These in place of all that was there. */
  replace(pieces: Iterable<[piece: number, entries: readonly FolderEntry[]]>): void {
    this.#pieces = new SvelteMap(pieces);
  }

  forget(piece: number): void {
    this.#pieces.delete(piece);
  }

  /** Changes the entries in whose pieces one of these names is. */
  revise(names: ReadonlyMap<EncodedPath, unknown>, revised: (entry: FolderEntry) => FolderEntry): void {
    for (const [piece, entries] of [...this.#pieces]) {
      if (entries.some((entry) => names.has(encodeName(entry)))) this.#pieces.set(piece, entries.map(revised));
    }
  }

  /**
   * Takes what is known by now of entries that stand from one place to before another, wherever in their pieces; whether
   * that is anything new. Of which nothing is, the entry itself stays.
   */
  learn(first: number, end: number, entries: readonly FolderEntry[]): boolean {
    let isNews = false;
    for (const piece of piecesBetween(first, end)) {
      const before = this.#pieces.get(piece);
      if (!before) continue;
      // A sidecar may still have to be read anew: until then, what was known of it is the likeliest.
      const told = new Map(keepingMarks(entries, before.filter(isMarked)).map((entry) => [encodeName(entry), entry]));
      const now = before.map((entry) => {
        const by = told.get(encodeName(entry));
        return by && contentsOf(by) !== contentsOf(entry) ? by : entry;
      });
      if (now.every((entry, at) => entry === before[at])) continue;
      this.#pieces.set(piece, now);
      isNews = true;
    }
    return isNews;
  }
}

/** Equal for entries of which the same is known, whether the rest is absent or null. */
function contentsOf(entry: FolderEntry): string {
  const given = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
