// The available chunks of a folder's listing, and their entries.
import { fileNamed } from "../entries/companions";
import { SvelteMap } from "svelte/reactivity";
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath, type NamedBytes } from "../../api/names";
import { isMarked, preserveMarks } from "../marks/marks";
import { CHUNK_SIZE, chunksBetween, indexIn } from "./chunks";

export class ChunkStore {
  #chunks = $state.raw(new SvelteMap<number, readonly FolderEntry[]>());

  get size(): number {
    return this.#chunks.size;
  }

  has(chunk: number): boolean {
    return this.#chunks.has(chunk);
  }

  get numbers(): number[] {
    return [...this.#chunks.keys()];
  }

  /** All available entries. */
  get entries(): FolderEntry[] {
    return [...this.#chunks.values()].flat();
  }

  /** Returns the entry at an index; undefined until its chunk has arrived. */
  at(index: number): FolderEntry | undefined {
    return this.#chunks.get(Math.floor(index / CHUNK_SIZE))?.[index % CHUNK_SIZE];
  }

  /** Returns the entries of a range, the end excluded; null if not all of it has arrived. */
  between(first: number, end: number): FolderEntry[] | null {
    const result: FolderEntry[] = [];
    for (const chunk of chunksBetween(first, end)) {
      const entries = this.#chunks.get(chunk);
      if (!entries) return null;
      result.push(...entries.slice(Math.max(0, first - chunk * CHUNK_SIZE), end - chunk * CHUNK_SIZE));
    }
    return result;
  }

  /** Returns the entry at an index, then the available entries after it, then those before it: the nearest first. */
  entriesFrom(index: number): FolderEntry[] {
    const result: FolderEntry[] = [];
    for (const step of [1, -1]) {
      for (let at = step === 1 ? index : index - 1; ; at += step) {
        const entry = this.at(at);
        if (!entry) break;
        result.push(entry);
      }
    }
    return result;
  }

  /** Returns the index of an entry with this name: the nearest one to `near`. */
  indexOf(named: NamedBytes, near: number): number | null {
    return indexIn(this.#chunks, named, near);
  }

  /** Returns the index of the first of these entries that exists anywhere. */
  indexOfFirst(entries: readonly FolderEntry[]): number | null {
    const places = new Map<EncodedPath, number>();
    for (const [chunk, chunkEntries] of this.#chunks) {
      for (const [at, entry] of chunkEntries.entries()) places.set(encodeName(entry), chunk * CHUNK_SIZE + at);
    }
    const remaining = entries.find((entry) => places.has(encodeName(entry)));
    return (remaining && places.get(encodeName(remaining))) ?? null;
  }

  /** Returns the index of the entry with this name, or of the picture with a file of this name. */
  indexOfName(name: EncodedPath): number | null {
    for (const [chunk, entries] of this.#chunks) {
      const at = entries.findIndex((entry) => fileNamed(entry, name) !== undefined);
      if (at >= 0) return chunk * CHUNK_SIZE + at;
    }
    return null;
  }

  put(chunk: number, entries: readonly FolderEntry[]): void {
    this.#chunks.set(chunk, entries);
  }

  /** Replaces all chunks. */
  replace(chunks: Iterable<[chunk: number, entries: readonly FolderEntry[]]>): void {
    this.#chunks = new SvelteMap(chunks);
  }

  forget(chunk: number): void {
    this.#chunks.delete(chunk);
  }

  /** Changes the entries of those chunks that contain one of these names. */
  revise(names: ReadonlyMap<EncodedPath, unknown>, revised: (entry: FolderEntry) => FolderEntry): void {
    for (const [chunk, entries] of [...this.#chunks]) {
      if (entries.some((entry) => names.has(encodeName(entry)))) this.#chunks.set(chunk, entries.map(revised));
    }
  }

  /**
   * Updates the entries of a range with newer data, at any position within their chunks. True if anything is new.
   * Unchanged entries keep their identity.
   */
  update(first: number, end: number, entries: readonly FolderEntry[]): boolean {
    let isNews = false;
    for (const chunk of chunksBetween(first, end)) {
      const before = this.#chunks.get(chunk);
      if (!before) continue;
      // A sidecar may still have to be read again. Until then, its previous marks are the best guess.
      const updated = new Map(preserveMarks(entries, before.filter(isMarked)).map((entry) => [encodeName(entry), entry]));
      const now = before.map((entry) => {
        const by = updated.get(encodeName(entry));
        return by && contentsOf(by) !== contentsOf(entry) ? by : entry;
      });
      if (now.every((entry, at) => entry === before[at])) continue;
      this.#chunks.set(chunk, now);
      isNews = true;
    }
    return isNews;
  }
}

/** Returns a key that is equal for entries with equal data, where absent and null count as equal. */
function contentsOf(entry: FolderEntry): string {
  const fields = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}
