// The available pieces of a folder's listing, and their entries.
import { SvelteMap } from "svelte/reactivity";
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath, type NamedBytes } from "../../api/names";
import { isMarked, keepingMarks } from "../marks/marks";
import { PIECE, piecesBetween, placeIn } from "./chunks";

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

  /** All available entries. */
  get known(): FolderEntry[] {
    return [...this.#pieces.values()].flat();
  }

  /** Returns the entry at an index; undefined until its piece has arrived. */
  at(index: number): FolderEntry | undefined {
    return this.#pieces.get(Math.floor(index / PIECE))?.[index % PIECE];
  }

  /** Returns the entries of a range, the end excluded; null if not all of it has arrived. */
  between(first: number, end: number): FolderEntry[] | null {
    const found: FolderEntry[] = [];
    for (const piece of piecesBetween(first, end)) {
      const entries = this.#pieces.get(piece);
      if (!entries) return null;
      found.push(...entries.slice(Math.max(0, first - piece * PIECE), end - piece * PIECE));
    }
    return found;
  }

  /** Returns the entry at an index, then the available entries after it, then those before it: the nearest first. */
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

  /** Returns the index of an entry with this name: the nearest one to `near`. */
  placeOf(named: NamedBytes, near: number): number | null {
    return placeIn(this.#pieces, named, near);
  }

  /** Returns the index of the first of these entries that exists anywhere. */
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

  /** Replaces all pieces. */
  replace(pieces: Iterable<[piece: number, entries: readonly FolderEntry[]]>): void {
    this.#pieces = new SvelteMap(pieces);
  }

  forget(piece: number): void {
    this.#pieces.delete(piece);
  }

  /** Changes the entries of those pieces that contain one of these names. */
  revise(names: ReadonlyMap<EncodedPath, unknown>, revised: (entry: FolderEntry) => FolderEntry): void {
    for (const [piece, entries] of [...this.#pieces]) {
      if (entries.some((entry) => names.has(encodeName(entry)))) this.#pieces.set(piece, entries.map(revised));
    }
  }

  /**
   * Updates the entries of a range with newer data, at any position within their pieces. True if anything is new.
   * Unchanged entries keep their identity.
   */
  learn(first: number, end: number, entries: readonly FolderEntry[]): boolean {
    let isNews = false;
    for (const piece of piecesBetween(first, end)) {
      const before = this.#pieces.get(piece);
      if (!before) continue;
      // A sidecar may still have to be read again. Until then, its previous marks are the best guess.
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

/** Returns a key that is equal for entries with equal data, where absent and null count as equal. */
function contentsOf(entry: FolderEntry): string {
  const given = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
