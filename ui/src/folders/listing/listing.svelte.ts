// The entries of a folder, read in chunks as they come into view: a folder may contain a hundred thousand.
import type { Backend, FolderEntry, FolderGroup, FolderListing, FolderQuery, Marks } from "../../api/backend";
import { hasCode } from "../../api/errors";
import { encodeName, type EncodedPath, type NamedBytes } from "../../api/names";
import { type ListingQuery, dependsOnHeaders, hasMetadataFilter, serverQuery, isRecursive } from "../query/listing-query";
import { ListingProgress } from "./listing-progress.svelte";
import { isMarked, preserveMarks, applyMarks } from "../marks/marks";
import { CHUNK_SIZE, chunksBetween } from "./chunks";
import { ChunkStore } from "./chunk-store.svelte";
import { withNewName } from "../entries/renamed-entry";
import type { ScrollHold } from "./scroll-hold";
import { RETRY_DELAY, RefreshScheduler } from "./refresh-scheduler";
import { delay } from "./wait";

/** A constant object, so that assigning it again triggers no effects. */
const UNGROUPED: readonly FolderGroup[] = [];
/** The maximum number of concurrent requests when many are needed. */
const MAX_CONCURRENT = 4;
/** The temporary errors that say nothing about the folder, and are reported elsewhere. */
const TRANSIENT_ERRORS = ["unreachable", "shutting_down", "too_many_connections", "too_much_work", "out_of_handles", "internal"] as const;

export class Listing {
  state = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<unknown>(null);
  total = $state(0);
  /** The number of pictures in the folder. */
  pictures = $state(0);
  /** The number of pictures that match only by name. */
  nameMatches = $state(0);
  /** The groups in order; empty without grouping. */
  groups = $state.raw<readonly FolderGroup[]>([]);
  /** The number of omitted folders below the folder. */
  omittedFolders = $state(0);
  /** The number of pictures whose headers are still to be read. */
  unread = $state(0);
  /** The reason why a search may not have found all pictures. */
  partial = $state.raw<FolderListing["partial"]>(null);
  /** The size of the files of pictures that a search finds; null for a folder. */
  bytes = $state<number | null>(null);
  /** The state of a listing that starts before all names were read. */
  readonly progress: ListingProgress;
  /** Incremented when the data of the entries changes. */
  version = $state(0);
  /** Incremented at each notification that more was read. */
  headerUpdates = $state(0);
  /** True if the server knows more about the pictures than is shown. */
  isStale = $state(false);
  /** True if everything was reported as read, but the shown data may be older. */
  isOverdue = $state(false);
  /** Set by the grid that shows the listing. */
  hold: (() => ScrollHold) | null = null;
  /** The picture in the viewer, which is also read again. */
  viewerPicture: { index: number; entry: FolderEntry } | null = null;
  /** The reading of the folder that the chunks belong to. */
  #reading: string | null = null;
  readonly #chunks = new ChunkStore();
  #asked = new Map<number, Promise<void>>();
  #ending = new AbortController();
  #visible = { first: 0, end: 0 };
  #isRefreshing = false;
  #ends = 0;
  #isRead = false;
  /** The marks that changed since the current read started, which its answer may not contain yet. */
  #markedMeanwhile = new Map<EncodedPath, Marks>();
  readonly #scheduler = new RefreshScheduler(() => this.#readAnew(), this.#ending.signal);
  /** True if the user has requested the read: errors are then reported. */
  #isRequested = false;

  constructor(
    private readonly backend: Backend,
    readonly root: string,
    readonly path: EncodedPath,
    readonly query: ListingQuery,
    /** Resolves before anything is read. */
    private readonly ready: Promise<void> = Promise.resolve(),
    /** The previous listing of the same folder, if only its order or filter has changed. */
    before: Listing | null = null,
    mayBePartial = false,
  ) {
    this.progress = new ListingProgress(mayBePartial);
    // Data from headers may have changed since.
    const isSame = before?.root === root && before.path === path && isRecursive(before.query) === isRecursive(query);
    if (isSame && !dependsOnHeaders(query)) this.#reading = before.#reading;
    void this.#read(0);
  }

  /** Returns the entry at an index; undefined until its chunk has arrived. */
  at(index: number): FolderEntry | undefined {
    return this.#chunks.at(index);
  }

  /** The reading of the folder that the indices refer to: another reading may have others. */
  get reading(): string | null {
    return this.#reading;
  }

  /** True if the folder is empty, and no more names are being read. */
  get isEmpty(): boolean {
    return this.state === "ready" && this.total === 0 && !this.progress.isPartial;
  }

  /** Resolves once all names were read; rejects if they can't be read. */
  async untilComplete(signal: AbortSignal): Promise<void> {
    await this.progress.untilComplete(AbortSignal.any([signal, this.#ending.signal]));
    if (this.state === "failed") throw this.error;
  }

  /** The number of folders, which come first. */
  get folders(): number {
    const first = this.loadedEntries;
    return first.some(({ kind }) => kind !== "folder") ? first.filter(({ kind }) => kind === "folder").length : this.total - this.pictures;
  }

  /** True if all of the folder is shown, and it has folders. */
  get hasFolders(): boolean {
    return this.state === "ready" && this.folders > 0 && !this.progress.isPartial && !this.query.filter && !hasMetadataFilter(this.query) && !isRecursive(this.query);
  }

  /** True if every chunk was read. */
  get isWhole(): boolean {
    return !this.progress.isPartial && this.#chunks.size >= Math.ceil(this.total / CHUNK_SIZE);
  }

  /** The entries that were read. */
  get loadedEntries(): FolderEntry[] {
    return this.#chunks.entries;
  }

  /** True if the headers and sidecars of all pictures were read. */
  get isRead(): boolean {
    return this.unread === 0 && !this.isStale && this.#isRead;
  }

  /** Returns the entries of a range, the end excluded; null if not all of it was read. */
  between(first: number, end: number): FolderEntry[] | null {
    return this.#chunks.between(first, Math.min(end, this.total));
  }

  /** Returns the entry at an index, then the read entries after it, then those before it: the nearest first. */
  entriesFrom(index: number): FolderEntry[] {
    return this.#chunks.entriesFrom(index);
  }

  /**
   * Returns the entries of a range, after reading the missing ones; null if the folder was read again meanwhile, so
   * that its indices may differ.
   */
  async entriesBetween(first: number, end: number, signal: AbortSignal): Promise<FolderEntry[] | null> {
    const missing = chunksBetween(first, Math.min(end, this.total)).filter((chunk) => !this.#chunks.has(chunk));
    const isRead = await this.#ofThisReading(missing, signal, async (chunk, of, ending) => {
      const listing = await this.#ask(chunk, ending, { of });
      if (ending.aborted || this.#reading !== of || listing.listing !== of) return listing.listing;
      this.#put(listing);
      this.#asked.set(chunk, Promise.resolve());
      return of;
    });
    return isRead ? this.between(first, end) : null;
  }

  /** Returns the current versions of those entries that still exist; null if the folder was read again meanwhile. */
  async currentVersions(entries: readonly FolderEntry[], signal: AbortSignal): Promise<FolderEntry[] | null> {
    const chunks = Math.ceil(this.total / CHUNK_SIZE) - this.#chunks.size;
    if (entries.length > chunks) {
      const names = new Set(entries.map(encodeName));
      return (await this.entriesBetween(0, this.total, signal))?.filter((entry) => names.has(encodeName(entry))) ?? null;
    }
    const { root, path } = this;
    const result: FolderEntry[] = [];
    const isRead = await this.#ofThisReading(entries, signal, async (entry, of, ending) => {
      const around = encodeName(entry);
      const query = { root, path, ...serverQuery(this.query), offset: 0, limit: 1, around, listing: of };
      const listing = await this.backend.folders.list(query, ending);
      result.push(...listing.entries.filter((one) => encodeName(one) === around));
      return listing.listing;
    });
    return isRead ? result : null;
  }

  /** Runs `work` for each item, a few at once, as long as the reading stays the same; false if it changes. */
  async #ofThisReading<T>(
    items: readonly T[],
    signal: AbortSignal,
    work: (item: T, of: string | null, ending: AbortSignal) => Promise<string | null>,
  ): Promise<boolean> {
    const of = this.#reading;
    const failing = new AbortController();
    const ending = AbortSignal.any([signal, failing.signal, this.#ending.signal]);
    const remaining = items.values();
    let isForgotten = false;
    const worker = async () => {
      for (const item of remaining) {
        if (ending.aborted || isForgotten || this.#reading !== of) return;
        isForgotten = (await work(item, of, ending)) !== of || isForgotten;
      }
    };
    try {
      await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
    } catch (error) {
      failing.abort();
      if (!signal.aborted && !this.#ending.signal.aborted) throw error;
    }
    if (ending.aborted) return false;
    // The server has dropped that reading.
    if (isForgotten && this.#reading === of) await this.#scheduler.request();
    return this.#reading === of;
  }

  /** Returns the index of an entry with this name among those that were read: the nearest one to `near`. */
  indexOf(named: NamedBytes, near: number): number | null {
    return this.#chunks.indexOf(named, near);
  }

  /**
   * Returns the index of the first of these entries that still exists. The removal of the very first one is only
   * certain after the entries near its index were read; null until then.
   */
  indexOfFirst(entries: readonly FolderEntry[], near: number): number | null {
    const [first] = entries;
    const place = first ? this.indexOf(first, near) : null;
    if (place !== null || !this.at(Math.min(near, this.total - 1))) return place;
    return this.#chunks.indexOfFirst(entries);
  }

  /** Renames entries in place until the folder is read again. */
  renamed(names: ReadonlyMap<EncodedPath, EncodedPath>): void {
    this.#revise(names, (entry) => withNewName(entry, names));
  }

  /** Applies changed marks. */
  marked(marks: ReadonlyMap<EncodedPath, Marks>): void {
    for (const [name, is] of marks) this.#markedMeanwhile.set(name, is);
    this.#revise(marks, (entry) => applyMarks(entry, marks));
    this.version += 1;
  }

  #revise(names: ReadonlyMap<EncodedPath, unknown>, revised: (entry: FolderEntry) => FolderEntry): void {
    this.#chunks.revise(names, revised);
    if (this.viewerPicture) this.viewerPicture = { ...this.viewerPicture, entry: revised(this.viewerPicture.entry) };
  }

  /** Requests the missing entries of a range, which is visible. */
  request(first: number, end: number): void {
    this.#visible = { first, end };
    for (const chunk of chunksBetween(first, Math.min(end, this.total))) void this.#read(chunk);
  }

  /** Reads the folder again at the user's request. */
  async refresh(): Promise<void> {
    if (this.state === "failed") this.state = "loading";
    this.#isRequested = true;
    this.#scheduler.skipPause();
    await this.follow();
  }

  /** Reads the folder again after a change. The current entries stay until the answer arrives. */
  follow(): Promise<void> {
    this.progress.markStale();
    return this.#scheduler.request();
  }

  /** Handles the end of a listing that had started before all names were read. */
  completeNames(listing: string): void {
    if (this.progress.complete(listing, this.#reading)) void this.#scheduler.request();
  }

  /** Handles the server's progress in reading headers. */
  reportUnread(unread: number): void {
    this.headerUpdates += 1;
    this.isStale = true;
    this.unread = unread;
    if (unread === 0) this.#ends += 1;
  }

  /** Requests the current data of the visible pictures. */
  async refreshMetadata(): Promise<void> {
    if (this.#isRefreshing) return;
    const { signal } = this.#ending;
    this.#isRefreshing = true;
    while (this.isStale && !signal.aborted) {
      this.isStale = this.isOverdue = false;
      await this.#refreshOnce(signal);
    }
    this.#isRefreshing = false;
  }

  async #refreshOnce(signal: AbortSignal): Promise<void> {
    const [of, requests] = [this.#reading, this.#asked];
    const { first, end } = this.#visible;
    // If nothing is visible yet, the beginning soon will be.
    const wanted = new Set([...chunksBetween(first, Math.max(first + 1, Math.min(end, this.total))), ...(this.viewerPicture ? [Math.floor(this.viewerPicture.index / CHUNK_SIZE)] : [])]);
    try {
      const listings = await Promise.all([...wanted].map((chunk) => this.#ask(chunk, signal, { of })));
      // The folder was read again: the answer may be older than the notification.
      this.isStale ||= requests !== this.#asked;
      if (signal.aborted || requests !== this.#asked) return;
      if (listings.some(({ listing }) => listing !== of)) {
        await this.#scheduler.request();
        return;
      }
      for (const listing of listings) this.#put(listing);
      this.#isRead = listings.every(({ unread }) => unread === 0);
      // Entries out of view were read before everything was known, and are requested again.
      if (this.#isRead) this.#forgetBut(wanted);
      this.version += 1;
    } catch {
      // The shown data is valid without it.
      await delay(RETRY_DELAY, signal);
      this.isStale = true;
    }
  }

  /** Requests the current data of a range without changing its order: the server continues its reading there first. */
  async refreshRange(first: number, end: number): Promise<void> {
    const { signal } = this.#ending;
    const [of, version] = [this.#reading, this.version];
    try {
      const listing = await this.#askPart({ offset: first, limit: end - first, around: null, listing: of }, signal);
      // Data that arrived meanwhile may be newer, or the user's own change.
      if (signal.aborted || version !== this.version || of !== this.#reading) return;
      // The server has dropped that reading.
      if (listing.listing !== of) await this.#scheduler.request();
      else if (this.#chunks.update(first, end, listing.entries)) this.version += 1;
    } catch {
      // The shown data is valid without it.
    }
  }

  /** Returns the index of a name; null if it does not exist. An error replaces the folder. */
  async find(name: EncodedPath): Promise<number | null> {
    const { signal } = this.#ending;
    try {
      return await this.locate(name, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return this.#chunks.indexOfName(name);
    }
  }

  /** Returns the index of a name for callers that report errors themselves. */
  async locate(name: EncodedPath, signal: AbortSignal): Promise<number | null> {
    await this.#read(0);
    const known = this.#chunks.indexOfName(name);
    if (known !== null || this.state !== "ready") return known;
    const requests = this.#asked;
    const listing = await this.#ask(0, signal, { around: name });
    if (signal.aborted || this.#ending.signal.aborted) return null;
    if (requests !== this.#asked) return this.locate(name, signal);
    if (this.#hasOutgrown(listing)) {
      await this.#scheduler.request();
      return this.locate(name, signal);
    }
    this.#put(listing);
    return this.#chunks.indexOfName(name);
  }

  /** Requests the entry at an index; resolves once it has arrived. */
  load(index: number): Promise<void> {
    return this.#read(Math.floor(index / CHUNK_SIZE));
  }

  /** Ends all requests. */
  dispose(): void {
    this.#ending.abort();
  }

  /** Reads the folder again. False if the read has to be retried; the current entries stay meanwhile. */
  async #readAnew(): Promise<boolean> {
    const { signal } = this.#ending;
    const isRequested = this.#isRequested;
    this.#isRequested = false;
    this.isStale = this.isOverdue = false;
    const marked = (this.#markedMeanwhile = new Map<EncodedPath, Marks>());
    try {
      const listings = await this.#askForVisible(signal);
      if (signal.aborted) return true;
      const held = this.hold?.();
      // Until all headers were read, the previous marks of a picture are the best guess.
      const known = listings[0].unread > 0 ? this.loadedEntries.filter(isMarked) : [];
      this.#chunks.replace(listings.map(({ offset, entries }) => [offset / CHUNK_SIZE, preserveMarks(entries, known)]));
      if (marked.size > 0) this.#revise(marked, (entry) => applyMarks(entry, marked));
      this.#asked = new Map(listings.map(({ offset }) => [offset / CHUNK_SIZE, Promise.resolve()]));
      this.#take(listings[0]);
      this.#isRead = this.unread === 0;
      this.version += 1;
      await held?.release();
      if (signal.aborted) return true;
      // The visible range may have changed meanwhile.
      this.request(this.#visible.first, this.#visible.end);
    } catch (error) {
      if (signal.aborted) return true;
      if (!isRequested && this.state === "ready" && hasCode(error, ...TRANSIENT_ERRORS)) return false;
      this.#fail(error);
    }
    return true;
  }

  /** Requests the visible entries, at their current indices. */
  async #askForVisible(signal: AbortSignal): Promise<[FolderListing, ...FolderListing[]]> {
    const { first, end } = this.#visible;
    const anchor = this.hold?.().anchor ?? null;
    const name = anchor && encodeName(anchor.entry);
    const main = await this.#ask(Math.floor((anchor?.index ?? first) / CHUNK_SIZE), signal, { around: name, of: this.progress.isPartial ? this.#reading : null });
    const of = main.listing;
    const at = main.entries.findIndex((entry) => encodeName(entry) === name);
    const moved = anchor !== null && at >= 0 ? main.offset + at - anchor.index : 0;
    const others = chunksBetween(Math.max(0, first + moved), Math.min(end + moved, main.total));
    const missing = others.filter((chunk) => chunk * CHUNK_SIZE !== main.offset);
    const listings = [main, ...(await Promise.all(missing.map((chunk) => this.#ask(chunk, signal, { of }))))];
    const { viewerPicture } = this;
    const viewerName = viewerPicture && encodeName(viewerPicture.entry);
    if (viewerPicture && !listings.some(({ entries }) => entries.some((entry) => encodeName(entry) === viewerName))) {
      const viewerListing = await this.#ask(Math.floor(viewerPicture.index / CHUNK_SIZE), signal, { around: viewerName, of });
      if (!listings.some(({ offset }) => offset === viewerListing.offset)) listings.push(viewerListing);
    }
    return listings as [FolderListing, ...FolderListing[]];
  }

  #read(chunk: number): Promise<void> {
    const pending = this.#asked.get(chunk);
    if (pending) return pending;
    const reading = this.#fetch(chunk);
    this.#asked.set(chunk, reading);
    return reading;
  }

  async #fetch(chunk: number): Promise<void> {
    const { signal } = this.#ending;
    const requests = this.#asked;
    const of = this.#reading;
    try {
      const listing = await this.#ask(chunk, signal, { of });
      // The folder was read again meanwhile.
      if (signal.aborted || requests !== this.#asked) return;
      if (this.#hasOutgrown(listing)) {
        requests.delete(chunk);
        void this.#scheduler.request();
        return;
      }
      if (this.#reading !== of && this.#reading !== listing.listing) {
        // Another chunk has arrived from a later reading, and this one belongs to yet another.
        requests.delete(chunk);
        this.request(this.#visible.first, this.#visible.end);
        return;
      }
      this.#put(listing);
    } catch (error) {
      if (signal.aborted || requests !== this.#asked) return;
      requests.delete(chunk);
      // Without its first chunk there is nothing to show. A later chunk is requested again when it next comes into
      // view.
      if (chunk === 0) this.#fail(error);
    }
  }

  #ask(
    chunk: number,
    signal: AbortSignal,
    { around = null, of = this.#reading }: { around?: EncodedPath | null; of?: string | null } = {},
  ): Promise<FolderListing> {
    return this.#askPart({ offset: chunk * CHUNK_SIZE, limit: CHUNK_SIZE, around, listing: of }, signal);
  }

  async #askPart(part: Pick<FolderQuery, "offset" | "limit" | "around" | "listing">, signal: AbortSignal): Promise<FolderListing> {
    const { root, path } = this;
    await this.ready;
    const ends = this.#ends;
    const may_grow = this.progress.mayBePartial && this.state === "loading";
    const listing = await this.backend.folders.list({ root, path, ...serverQuery(this.query), ...part, ...(may_grow ? { may_grow } : {}) }, signal);
    // The end of reading is notified once, possibly before an answer that does not include it yet.
    if (ends !== this.#ends) this.isStale = this.isOverdue = true;
    return listing;
  }

  #put(listing: FolderListing): void {
    const chunk = listing.offset / CHUNK_SIZE;
    // The folder was read again since the other chunks arrived: they are requested again when they come into view.
    const isAnother = this.#reading !== null && listing.listing !== this.#reading;
    if (isAnother) this.#forgetBut(new Set([chunk]));
    this.#isRead ||= this.#chunks.size === 0 && listing.unread === 0;
    this.#chunks.put(chunk, listing.entries);
    this.#take(listing);
    if (isAnother) this.version += 1;
    if (isAnother) this.request(this.#visible.first, this.#visible.end);
  }

  /**
   * True if the chunk belongs to the complete listing. Its names are applied all at once, so that nothing visible
   * jumps.
   */
  #hasOutgrown({ listing }: FolderListing): boolean {
    return this.progress.isPartial && listing !== this.#reading;
  }

  #take(listing: FolderListing): void {
    this.#reading = listing.listing;
    this.unread = listing.unread;
    this.total = Math.min(listing.total, this.query.most ?? Infinity);
    this.groups = listing.groups ?? UNGROUPED;
    this.omittedFolders = listing.left_out ?? 0;
    this.partial = listing.partial ?? null;
    this.bytes = listing.bytes ?? null;
    if (this.progress.update(listing)) void this.#scheduler.request();
    this.nameMatches = listing.pictures;
    this.pictures = hasMetadataFilter(this.query) || this.query.kind === "picture" ? this.total : listing.pictures;
    this.state = "ready";
  }

  #fail(error: unknown): void {
    this.error = error;
    this.state = "failed";
    this.progress.releaseWaiters();
    // Once the folder is available again, all of it is read.
    this.#asked.clear();
  }

  /** Drops chunks, which are requested again when they come into view. */
  #forgetBut(chunks: ReadonlySet<number>): void {
    for (const chunk of [...this.#asked.keys(), ...this.#chunks.numbers]) {
      if (chunks.has(chunk)) continue;
      this.#chunks.forget(chunk);
      this.#asked.delete(chunk);
    }
  }
}
