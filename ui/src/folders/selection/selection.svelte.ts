// The selection in the current folder: by names, so that it outlives another order and a new reading.
import type { FolderEntry, Marks } from "../../api/backend";
import { type EncodedPath, encodeName } from "../../api/names";
import { hasSameFilter } from "../query/listing-query";
import { FolderChangedError } from "../listing/folder-changed-error";
import type { Listing } from "../listing/listing.svelte";
import { withLatest, applyMarks } from "../marks/marks";
import { withNewName } from "../entries/renamed-entry";

/** The number of attempts to read entries for a change, if the folder changes meanwhile. */
const ATTEMPTS = 3;

/** A selection to restore or to extend. */
export type Selected = ReadonlyMap<EncodedPath, FolderEntry>;

export const NOTHING: Selected = new Map();

/** Combines a selection with the entries of a change. */
type Combine = (selected: Selected, entries: readonly FolderEntry[]) => Selected;

/** A cell at the time when it was named. */
interface Place {
  index: number;
  /** Undefined if its chunk had not arrived. */
  entry: FolderEntry | undefined;
  listing: Listing;
  reading: string | null;
}

/** The entries of a change. */
interface Extent {
  /** The ends of a range; empty for all entries. */
  places: readonly Place[];
  /** The columns that limit the range, as displayed in rows. */
  block?: Block;
}

/** A block of cells: some columns of some rows. */
export interface Block {
  columnOf: (index: number) => number;
  firstColumn: number;
  endColumn: number;
}

interface Change {
  extent: Extent;
  combine: Combine;
}

/** The changes that wait for their entries, one after the other. */
interface Batch {
  ending: AbortController;
  changes: Change[];
  done: Promise<void>;
}

export class Selection {
  /** True while the entries of the selection are still being read. */
  isWorking = $state(false);
  /** The entry with the focus in the grid. */
  focused: FolderEntry | null = null;
  #selected = $state.raw<Selected>(NOTHING);
  readonly count = $derived(this.#selected.size);
  /** The total size of pictures and files; undefined if only folders are selected. */
  readonly bytes = $derived(sizeOf(this.#selected));
  /** True if only pictures are selected. */
  readonly isOfPictures = $derived(isOfPictures(this.#selected));
  #listing: Listing | null = null;
  #reading: string | null = null;
  /** True if the headers and sidecars of all pictures had been read at the last update. */
  #isRead = false;
  #version = -1;
  /** The start of ranges. */
  #anchor: Place | null = null;
  #batch: Batch | null = null;
  #checking = new AbortController();
  /** The end of the check of entries that are no longer known. */
  #checked: Promise<void> = Promise.resolve();

  /** Creates the selection. `onfailed` is called if its entries could not be read. */
  constructor(private readonly onfailed: (error: unknown) => void) {}

  has(entry: FolderEntry): boolean {
    return this.#selected.has(encodeName(entry));
  }

  /** Returns the entries to act on: the selection, or the focused entry. Waits until they are known. */
  async entries(): Promise<readonly FolderEntry[]> {
    while (this.#batch) await this.#batch.done;
    await this.#checked;
    if (this.#selected.size > 0) return [...this.#selected.values()];
    return this.focused ? [this.focused] : [];
  }

  /** Must be called whenever the listing or its data changes. */
  shows(listing: Listing): void {
    const before = this.#listing;
    this.#listing = listing;
    if (before !== listing) {
      if (before === null || !areOfSameEntries(before, listing)) this.none();
      // In another order, a range contains other entries.
      else if (this.#batch?.changes.some(({ extent }) => !isOfAll(extent))) this.#abandonBatch();
    }
    if (listing.state !== "ready") return;
    const { reading, isRead, version } = listing;
    const isAnother = reading !== this.#reading || (isRead && !this.#isRead);
    const isNews = before !== listing || version !== this.#version;
    [this.#reading, this.#isRead, this.#version] = [reading, isRead, version];
    if (isAnother) this.#follow(listing);
    else if (isNews) this.#revise((entries) => withLatest(entries, listing.loadedEntries));
  }

  only(index: number): void {
    this.#anchor = this.#place(index);
    this.#change({ places: [this.#anchor] }, replaced, false);
  }

  toggle(index: number): void {
    this.#anchor = this.#place(index);
    this.#change({ places: [this.#anchor] }, toggled, true);
  }

  /** Selects from the anchor, or without one from a cell, to another cell. `adds` keeps the rest of the selection. */
  extend(to: number, from: number, adds = false): void {
    this.#anchor ??= this.#place(from);
    this.#change({ places: [this.#anchor, this.#place(to)] }, adds ? added : replaced, adds);
  }

  /** The current selection. */
  get now(): Selected {
    return this.#selected;
  }

  comeBackTo(selected: Selected): void {
    this.#abandonBatch();
    this.#selected = selected;
  }

  /** Selects some columns of the rows between two cells, in addition to an earlier selection. */
  block(first: number, last: number, block: Block, before: Selected): void {
    this.#anchor = null;
    this.#change({ places: [this.#place(first), this.#place(last)], block }, (_, entries) => added(before, entries), false);
  }

  all(): void {
    this.#change({ places: [] }, replaced, false);
  }

  invert(): void {
    this.#change({ places: [] }, inverted, true);
  }

  /** Keeps renamed entries selected under their new names. */
  renamed(names: ReadonlyMap<EncodedPath, EncodedPath>): void {
    this.#revise((entries) => entries.map((entry) => withNewName(entry, names)));
  }

  /** Updates the selected entries with changed marks. */
  marked(marks: ReadonlyMap<EncodedPath, Marks>): void {
    this.#revise((entries) => entries.map((entry) => applyMarks(entry, marks)));
  }

  #revise(revised: (entries: readonly FolderEntry[]) => readonly FolderEntry[]): void {
    if (this.#selected.size > 0) this.#selected = new Map(byName(revised([...this.#selected.values()])));
    const anchor = this.#anchor;
    if (anchor?.entry) this.#anchor = { ...anchor, entry: revised([anchor.entry])[0] };
  }

  none(): void {
    this.#abandonBatch();
    this.#checking.abort();
    this.#anchor = null;
    this.#selected = NOTHING;
  }

  /**
   * Applies a change at once if its entries are known. A change that builds on the current selection waits for earlier
   * ones.
   */
  #change(extent: Extent, combine: Combine, isOnTop: boolean): void {
    if (this.#listing?.state !== "ready") return;
    if (!isOnTop) this.#abandonBatch();
    const loaded = this.#batch === null ? this.#known(extent, this.#listing) : null;
    if (loaded) {
      this.#selected = combine(this.#selected, loaded);
      return;
    }
    if (this.#batch) {
      this.#batch.changes.push({ extent, combine });
      return;
    }
    const batch: Batch = { ending: new AbortController(), changes: [{ extent, combine }], done: Promise.resolve() };
    this.#batch = batch;
    this.isWorking = true;
    batch.done = this.#work(batch);
  }

  #abandonBatch(): void {
    this.#batch?.ending.abort();
    this.#batch = null;
    this.isWorking = false;
  }

  async #work(batch: Batch): Promise<void> {
    const { signal } = batch.ending;
    try {
      for (let change = batch.changes[0]; change; change = batch.changes[0]) {
        const entries = await this.#read(change.extent, signal);
        if (signal.aborted) return;
        this.#selected = change.combine(this.#selected, entries);
        batch.changes.shift();
      }
    } catch (error) {
      if (!signal.aborted) this.onfailed(error);
    }
    if (this.#batch === batch) this.#abandonBatch();
  }

  async #read(extent: Extent, signal: AbortSignal): Promise<readonly FolderEntry[]> {
    for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt++) {
      const listing = this.#listing;
      if (!listing) break;
      if (isOfAll(extent)) await listing.untilComplete(signal);
      await this.#findPlaces(extent, listing, signal);
      const bounds = this.#boundsOf(extent, listing);
      if (!bounds) return [];
      const entries = await listing.entriesBetween(bounds.first, bounds.end, signal);
      if (entries) return inBlock(entries, bounds.first, extent.block);
    }
    throw new FolderChangedError();
  }

  #known(extent: Extent, listing: Listing): readonly FolderEntry[] | null {
    if (isOfAll(extent) && listing.progress.isPartial) return null;
    if (extent.places.some((place) => this.#indexOf(place, listing) === null)) return null;
    const bounds = this.#boundsOf(extent, listing);
    const entries = bounds && listing.between(bounds.first, bounds.end);
    return entries && inBlock(entries, bounds.first, extent.block);
  }

  #place(index: number): Place {
    const listing = this.#listing;
    if (!listing) throw new Error("BUG: a cell was named before a folder was shown");
    return { index, entry: listing.at(index), listing, reading: listing.reading };
  }

  /** Returns the current index of a place; null if it is unknown, or if the entry was removed. */
  #indexOf({ index, entry, ...of }: Place, listing: Listing): number | null {
    const isSame = of.listing === listing && of.reading === listing.reading;
    return isSame || entry === undefined ? index : listing.indexOf(entry, index);
  }

  /** Reads the chunks that contain the places. */
  async #findPlaces({ places, block }: Extent, listing: Listing, signal: AbortSignal): Promise<void> {
    // The cells are no longer in the same columns.
    if (block && places.some(({ reading }) => reading !== listing.reading)) throw new FolderChangedError();
    for (const place of places) {
      if (place.entry && this.#indexOf(place, listing) === null) await listing.locate(encodeName(place.entry), signal);
    }
  }

  /** Returns the bounds of a range without removed entries; null if none is left. */
  #boundsOf(extent: Extent, listing: Listing): { first: number; end: number } | null {
    if (isOfAll(extent)) return { first: 0, end: listing.total };
    const indices = extent.places.map((place) => this.#indexOf(place, listing)).filter((index) => index !== null);
    if (indices.length === 0) return null;
    return { first: Math.min(...indices), end: Math.max(...indices) + 1 };
  }

  /** Follows a new reading of the folder: removed entries leave the selection, and the others are updated. */
  #follow(listing: Listing): void {
    this.#checking.abort();
    if (this.#selected.size === 0) return;
    const now = new Map(listing.loadedEntries.map((entry) => [encodeName(entry), entry]));
    const unsure: FolderEntry[] = [];
    const selected = new Map<EncodedPath, FolderEntry>();
    for (const [name, entry] of this.#selected) {
      const current = now.get(name);
      if (!current && listing.isWhole) continue;
      if (!current) unsure.push(entry);
      selected.set(name, current ?? entry);
    }
    this.#selected = selected;
    if (unsure.length > 0) this.#checked = this.#check(listing, unsure);
  }

  async #check(listing: Listing, unsure: readonly FolderEntry[]): Promise<void> {
    const { signal } = (this.#checking = new AbortController());
    try {
      const versions = await listing.currentVersions(unsure, signal);
      if (!versions || signal.aborted) return;
      const byName = new Map(versions.map((entry) => [encodeName(entry), entry]));
      const selected = new Map(this.#selected);
      for (const name of unsure.map(encodeName)) {
        const entry = byName.get(name);
        if (!entry) selected.delete(name);
        else if (selected.has(name)) selected.set(name, entry);
      }
      this.#selected = selected;
    } catch {
      // They stay until the folder is read the next time. An action on a removed entry reports the error.
    }
  }
}

function areOfSameEntries(one: Listing, other: Listing): boolean {
  return one.root === other.root && one.path === other.path && hasSameFilter(one.query, other.query);
}

function isOfAll({ places }: Extent): boolean {
  return places.length === 0;
}

function inBlock(entries: readonly FolderEntry[], first: number, block: Block | undefined): readonly FolderEntry[] {
  if (!block) return entries;
  return entries.filter((_, at) => {
    const column = block.columnOf(first + at);
    return column >= block.firstColumn && column < block.endColumn;
  });
}

const byName = (entries: readonly FolderEntry[]) => entries.map((entry) => [encodeName(entry), entry] as const);

const replaced: Combine = (_, entries) => new Map(byName(entries));

const added: Combine = (selected, entries) => new Map([...selected, ...byName(entries)]);

const toggled: Combine = (selected, entries) => {
  const result = new Map(selected);
  for (const [name, entry] of byName(entries)) {
    if (!result.delete(name)) result.set(name, entry);
  }
  return result;
};

const inverted: Combine = (selected, entries) => new Map(byName(entries).filter(([name]) => !selected.has(name)));

function sizeOf(selected: Selected): number | undefined {
  let bytes: number | undefined;
  for (const { kind, size } of selected.values()) {
    if (kind !== "folder") bytes = (bytes ?? 0) + size;
  }
  return bytes;
}

function isOfPictures(selected: Selected): boolean {
  for (const { kind } of selected.values()) if (kind !== "picture") return false;
  return true;
}
