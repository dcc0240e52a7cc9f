// One folder's entries, read in pieces as they come into view: a folder may hold a hundred thousand.
import type { Backend, FolderEntry, FolderGroup, FolderListing, FolderQuery, Marks } from "../api/backend";
import { hasCode } from "../api/errors";
import { encodeName, type EncodedPath, type NamedBytes } from "../api/names";
import { type Asking, dependsOnHeaders, isNarrowed, queryOf, reachesBeneath } from "./asking";
import type { Held } from "./grid-handle";
import { Growth } from "./growth.svelte";
import { isMarked, keepingMarks, markedBy } from "./marks";
import { PIECE, piecesBetween } from "./pieces";
import { ReadPieces } from "./read-pieces.svelte";
import { underNewName } from "./renaming";
import { AGAIN_AFTER, Renewing } from "./renewing";
import { rest } from "./waiting";

/** The same one each time, so that nothing follows from it again. */
const UNGROUPED: readonly FolderGroup[] = [];
/** So many requests are under way at once where many are needed. */
const AT_ONCE = 4;
/** What is over soon, and says nothing about the folder; that it is so is told elsewhere. */
const PASSING = ["unreachable", "shutting_down", "too_many_connections", "out_of_handles", "internal"] as const;

export class Listing {
  state = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<unknown>(null);
  total = $state(0);
  /** How many pictures there are in it. */
  pictures = $state(0);
  /** How many there would be if their names alone decided. */
  named = $state(0);
  /** What belongs together, in its order; none where that is not asked for. */
  groups = $state.raw<readonly FolderGroup[]>([]);
  /** How many folders beneath it are left out. */
  leftOut = $state(0);
  /** How many pictures are still to be looked into. */
  unread = $state(0);
  /** Whether all names are there already. */
  readonly growth: Growth;
  /** Counts how often something else came to be known of what is shown. */
  version = $state(0);
  /** Counts how often it was told that more has been read. */
  heard = $state(0);
  /** Whether more is known of the pictures by now than is shown. */
  isBehind = $state(false);
  /** Whether it was told that all has been read, and what is shown may not say so. */
  isOverdue = $state(false);
  /** Of the grid that shows it. */
  hold: (() => Held) | null = null;
  /** What is shown large: it is read again, too. */
  large: { index: number; entry: FolderEntry } | null = null;
  /** Of which reading of the folder the pieces are. */
  #reading: string | null = null;
  readonly #pieces = new ReadPieces();
  #asked = new Map<number, Promise<void>>();
  #ending = new AbortController();
  #seen = { first: 0, end: 0 };
  #isLearning = false;
  #ends = 0;
  #isRead = false;
  /** What was marked since it is being read again: the answer may not tell of that yet. */
  #markedMeanwhile = new Map<EncodedPath, Marks>();
  readonly #renewing = new Renewing(() => this.#readAnew(), this.#ending.signal);
  /** Whether the person has asked for it: then they hear of what goes wrong. */
  #isWished = false;

  constructor(
    private readonly backend: Backend,
    readonly root: string,
    readonly path: EncodedPath,
    readonly asking: Asking,
    /** Nothing is read before. */
    private readonly ready: Promise<void> = Promise.resolve(),
    /** The same folder as it was shown until now: it is only ordered or filtered anew. */
    before: Listing | null = null,
    mayGrow = false,
  ) {
    this.growth = new Growth(mayGrow);
    // What was known then may be something else by now.
    const isSame = before?.root === root && before.path === path && reachesBeneath(before.asking) === reachesBeneath(asking);
    if (isSame && !dependsOnHeaders(asking)) this.#reading = before.#reading;
    void this.#read(0);
  }

  /** What stands at a place; undefined until its piece has come. */
  at(index: number): FolderEntry | undefined {
    return this.#pieces.at(index);
  }

  /** Of which reading of the folder its places are: those of another one may be others. */
  get reading(): string | null {
    return this.#reading;
  }

  /** Whether there is nothing in it, and nothing to come. */
  get isEmpty(): boolean {
    return this.state === "ready" && this.total === 0 && !this.growth.isGoingOn;
  }

  /** Resolves when all names are there; rejects where they can't be read. */
  async allNamed(signal: AbortSignal): Promise<void> {
    await this.growth.over(AbortSignal.any([signal, this.#ending.signal]));
    if (this.state === "failed") throw this.error;
  }

  /** Whether all of it has been read. */
  get isWhole(): boolean {
    return !this.growth.isGoingOn && this.#pieces.size >= Math.ceil(this.total / PIECE);
  }

  /** All that has been read of it. */
  get known(): FolderEntry[] {
    return this.#pieces.known;
  }

  /** Whether all that is noted beside its pictures has come. */
  get isRead(): boolean {
    return this.unread === 0 && !this.isBehind && this.#isRead;
  }

  /** What stands from one place to before another; null where not all of that has been read. */
  between(first: number, end: number): FolderEntry[] | null {
    return this.#pieces.between(first, Math.min(end, this.total));
  }

  /** What stands at a place, what has been read after it, and what before it: the nearest first. */
  fromHere(index: number): FolderEntry[] {
    return this.#pieces.fromHere(index);
  }

  /** The same, with what has to be read for it; null where the folder was read again meanwhile, and has other places. */
  async entriesBetween(first: number, end: number, signal: AbortSignal): Promise<FolderEntry[] | null> {
    const missing = piecesBetween(first, Math.min(end, this.total)).filter((piece) => !this.#pieces.has(piece));
    const isRead = await this.#ofThisReading(missing, signal, async (piece, of, ending) => {
      const listing = await this.#ask(piece, ending, { of });
      if (ending.aborted || this.#reading !== of || listing.listing !== of) return listing.listing;
      this.#put(listing);
      this.#asked.set(piece, Promise.resolve());
      return of;
    });
    return isRead ? this.between(first, end) : null;
  }

  /** Those of these entries that are in the folder, as they are now; null where it was read again meanwhile. */
  async stillThere(entries: readonly FolderEntry[], signal: AbortSignal): Promise<FolderEntry[] | null> {
    const pieces = Math.ceil(this.total / PIECE) - this.#pieces.size;
    if (entries.length > pieces) {
      const names = new Set(entries.map(encodeName));
      return (await this.entriesBetween(0, this.total, signal))?.filter((entry) => names.has(encodeName(entry))) ?? null;
    }
    const { root, path } = this;
    const found: FolderEntry[] = [];
    const isRead = await this.#ofThisReading(entries, signal, async (entry, of, ending) => {
      const around = encodeName(entry);
      const query = { root, path, ...queryOf(this.asking), offset: 0, limit: 1, around, listing: of };
      const listing = await this.backend.folders.list(query, ending);
      found.push(...listing.entries.filter((one) => encodeName(one) === around));
      return listing.listing;
    });
    return isRead ? found : null;
  }

  /** Does something for each, a few at once, as long as it is of one reading; false where it isn't. */
  async #ofThisReading<T>(
    items: readonly T[],
    signal: AbortSignal,
    work: (item: T, of: string | null, ending: AbortSignal) => Promise<string | null>,
  ): Promise<boolean> {
    const of = this.#reading;
    const failing = new AbortController();
    const ending = AbortSignal.any([signal, failing.signal, this.#ending.signal]);
    const left = items.values();
    let isForgotten = false;
    const worker = async () => {
      for (const item of left) {
        if (ending.aborted || isForgotten || this.#reading !== of) return;
        isForgotten = (await work(item, of, ending)) !== of || isForgotten;
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    } catch (error) {
      failing.abort();
      if (!signal.aborted && !this.#ending.signal.aborted) throw error;
    }
    if (ending.aborted) return false;
    // The server knows that reading no longer.
    if (isForgotten && this.#reading === of) await this.#renewing.again();
    return this.#reading === of;
  }

  /** Where an entry of this name stands, as far as that has been read: the place that is nearest to another one. */
  placeOf(named: NamedBytes, near: number): number | null {
    return this.#pieces.placeOf(named, near);
  }

  /**
   * Where the first of these is that is still there. If the very first has gone, that can be told only where what stands
   * near its place by now has been read; null elsewhere.
   */
  placeOfFirst(entries: readonly FolderEntry[], near: number): number | null {
    const [first] = entries;
    const place = first ? this.placeOf(first, near) : null;
    if (place !== null || !this.at(Math.min(near, this.total - 1))) return place;
    return this.#pieces.placeOfFirst(entries);
  }

  /** What has another name now stands where it stood, until the folder has been read again. */
  renamed(names: ReadonlyMap<EncodedPath, EncodedPath>): void {
    this.#revise(names, (entry) => underNewName(entry, names));
  }

  /** What is marked otherwise now. */
  marked(marks: ReadonlyMap<EncodedPath, Marks>): void {
    for (const [name, is] of marks) this.#markedMeanwhile.set(name, is);
    this.#revise(marks, (entry) => markedBy(entry, marks));
    this.version += 1;
  }

  #revise(names: ReadonlyMap<EncodedPath, unknown>, revised: (entry: FolderEntry) => FolderEntry): void {
    this.#pieces.revise(names, revised);
    if (this.large) this.large = { ...this.large, entry: revised(this.large.entry) };
  }

  /** Asks for what is missing between two places, which are seen. */
  need(first: number, end: number): void {
    this.#seen = { first, end };
    for (const piece of piecesBetween(first, Math.min(end, this.total))) void this.#read(piece);
  }

  /** Reads the folder again, as the person wishes. */
  async refresh(): Promise<void> {
    if (this.state === "failed") this.state = "loading";
    this.#isWished = true;
    this.#renewing.hurry();
    await this.follow();
  }

  /** Reads the folder again, as it has changed. What is shown stays until the answer has come. */
  follow(): Promise<void> {
    this.growth.doubt();
    return this.#renewing.again();
  }

  /** All names of a listing that had begun before are there. */
  grow(listing: string): void {
    if (this.growth.hear(listing, this.#reading)) void this.#renewing.again();
  }

  /** The server has read on behind the list. */
  hear(unread: number): void {
    this.heard += 1;
    this.isBehind = true;
    this.unread = unread;
    if (unread === 0) this.#ends += 1;
  }

  /** Asks for what is known by now of the pictures that are shown. */
  async learn(): Promise<void> {
    if (this.#isLearning) return;
    const { signal } = this.#ending;
    this.#isLearning = true;
    while (this.isBehind && !signal.aborted) {
      this.isBehind = this.isOverdue = false;
      await this.#learnOnce(signal);
    }
    this.#isLearning = false;
  }

  async #learnOnce(signal: AbortSignal): Promise<void> {
    const [of, asked] = [this.#reading, this.#asked];
    const { first, end } = this.#seen;
    // The beginning is about to be seen where nothing is yet.
    const shown = new Set([...piecesBetween(first, Math.max(first + 1, Math.min(end, this.total))), ...(this.large ? [Math.floor(this.large.index / PIECE)] : [])]);
    try {
      const listings = await Promise.all([...shown].map((piece) => this.#ask(piece, signal, { of })));
      // Where the folder has been read again, that may have been asked for before this was told.
      this.isBehind ||= asked !== this.#asked;
      if (signal.aborted || asked !== this.#asked) return;
      if (listings.some(({ listing }) => listing !== of)) {
        await this.#renewing.again();
        return;
      }
      for (const listing of listings) this.#put(listing);
      this.#isRead = listings.every(({ unread }) => unread === 0);
      // What is not seen came before all was read: it is asked for again.
      if (this.#isRead) this.#forgetBut(shown);
      this.version += 1;
    } catch {
      // What is shown is true without it.
      await rest(AGAIN_AFTER, signal);
      this.isBehind = true;
    }
  }

  /** Asks for what is known by now of a part of what is shown, with nothing in another place for it: the server reads on there first. */
  async learnOf(first: number, end: number): Promise<void> {
    const { signal } = this.#ending;
    const [of, version] = [this.#reading, this.version];
    try {
      const listing = await this.#askPart({ offset: first, limit: end - first, around: null, listing: of }, signal);
      // What came to be known meanwhile may be more, or what the person has done.
      if (signal.aborted || version !== this.version || of !== this.#reading) return;
      // The server knows that reading no longer.
      if (listing.listing !== of) await this.#renewing.again();
      else if (this.#pieces.learn(first, end, listing.entries)) this.version += 1;
    } catch {
      // What is shown is true without it.
    }
  }

  /** The place of a name; null if it is not here. What goes wrong is shown in the folder's stead. */
  async find(name: EncodedPath): Promise<number | null> {
    const { signal } = this.#ending;
    try {
      return await this.locate(name, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return this.#pieces.placeOfName(name);
    }
  }

  /** The same for others, who say themselves what went wrong. */
  async locate(name: EncodedPath, signal: AbortSignal): Promise<number | null> {
    await this.#read(0);
    const known = this.#pieces.placeOfName(name);
    if (known !== null || this.state !== "ready") return known;
    const asked = this.#asked;
    const listing = await this.#ask(0, signal, { around: name });
    if (signal.aborted || this.#ending.signal.aborted) return null;
    if (asked !== this.#asked) return this.locate(name, signal);
    if (this.#hasOutgrown(listing)) {
      await this.#renewing.again();
      return this.locate(name, signal);
    }
    this.#put(listing);
    return this.#pieces.placeOfName(name);
  }

  /** Asks for what stands at a place; resolves when that has come. */
  arrival(index: number): Promise<void> {
    return this.#read(Math.floor(index / PIECE));
  }

  /** Nothing is wanted any more. */
  dispose(): void {
    this.#ending.abort();
  }

  /** False where it should be tried again: what is shown stays meanwhile. */
  async #readAnew(): Promise<boolean> {
    const { signal } = this.#ending;
    const isWished = this.#isWished;
    this.#isWished = false;
    this.isBehind = this.isOverdue = false;
    const marked = (this.#markedMeanwhile = new Map<EncodedPath, Marks>());
    try {
      const listings = await this.#askForSeen(signal);
      if (signal.aborted) return true;
      const held = this.hold?.();
      // Until all has been read, what was known of a picture is the likeliest.
      const known = listings[0].unread > 0 ? this.known.filter(isMarked) : [];
      this.#pieces.replace(listings.map(({ offset, entries }) => [offset / PIECE, keepingMarks(entries, known)]));
      if (marked.size > 0) this.#revise(marked, (entry) => markedBy(entry, marked));
      this.#asked = new Map(listings.map(({ offset }) => [offset / PIECE, Promise.resolve()]));
      this.#take(listings[0]);
      this.#isRead = this.unread === 0;
      this.version += 1;
      await held?.letGo();
      if (signal.aborted) return true;
      // One may have gone on to another place.
      this.need(this.#seen.first, this.#seen.end);
    } catch (error) {
      if (signal.aborted) return true;
      if (!isWished && this.state === "ready" && hasCode(error, ...PASSING)) return false;
      this.#fail(error);
    }
    return true;
  }

  /** What is seen, wherever that stands by now. */
  async #askForSeen(signal: AbortSignal): Promise<[FolderListing, ...FolderListing[]]> {
    const { first, end } = this.#seen;
    const anchor = this.hold?.().anchor ?? null;
    const name = anchor && encodeName(anchor.entry);
    const main = await this.#ask(Math.floor((anchor?.index ?? first) / PIECE), signal, { around: name, of: this.growth.isGoingOn ? this.#reading : null });
    const of = main.listing;
    const at = main.entries.findIndex((entry) => encodeName(entry) === name);
    const moved = anchor !== null && at >= 0 ? main.offset + at - anchor.index : 0;
    const others = piecesBetween(Math.max(0, first + moved), Math.min(end + moved, main.total));
    const missing = others.filter((piece) => piece * PIECE !== main.offset);
    const found = [main, ...(await Promise.all(missing.map((piece) => this.#ask(piece, signal, { of }))))];
    const { large } = this;
    const shown = large && encodeName(large.entry);
    if (large && !found.some(({ entries }) => entries.some((entry) => encodeName(entry) === shown))) {
      const beside = await this.#ask(Math.floor(large.index / PIECE), signal, { around: shown, of });
      if (!found.some(({ offset }) => offset === beside.offset)) found.push(beside);
    }
    return found as [FolderListing, ...FolderListing[]];
  }

  #read(piece: number): Promise<void> {
    const asked = this.#asked.get(piece);
    if (asked) return asked;
    const reading = this.#fetch(piece);
    this.#asked.set(piece, reading);
    return reading;
  }

  async #fetch(piece: number): Promise<void> {
    const { signal } = this.#ending;
    const asked = this.#asked;
    const of = this.#reading;
    try {
      const listing = await this.#ask(piece, signal, { of });
      // The folder was read again meanwhile.
      if (signal.aborted || asked !== this.#asked) return;
      if (this.#hasOutgrown(listing)) {
        asked.delete(piece);
        void this.#renewing.again();
        return;
      }
      if (this.#reading !== of && this.#reading !== listing.listing) {
        // Another piece has come from a later reading, and this one is of yet another.
        asked.delete(piece);
        this.need(this.#seen.first, this.#seen.end);
        return;
      }
      this.#put(listing);
    } catch (error) {
      if (signal.aborted || asked !== this.#asked) return;
      asked.delete(piece);
      // Without its first piece there is nothing to show. A later one is asked for again when it is seen again.
      if (piece === 0) this.#fail(error);
    }
  }

  #ask(
    piece: number,
    signal: AbortSignal,
    { around = null, of = this.#reading }: { around?: EncodedPath | null; of?: string | null } = {},
  ): Promise<FolderListing> {
    return this.#askPart({ offset: piece * PIECE, limit: PIECE, around, listing: of }, signal);
  }

  async #askPart(part: Pick<FolderQuery, "offset" | "limit" | "around" | "listing">, signal: AbortSignal): Promise<FolderListing> {
    const { root, path } = this;
    await this.ready;
    const ends = this.#ends;
    const may_grow = this.growth.may && this.state === "loading";
    const listing = await this.backend.folders.list({ root, path, ...queryOf(this.asking), ...part, ...(may_grow ? { may_grow } : {}) }, signal);
    // That all has been read is told once, and may overtake an answer that doesn't know of it.
    if (ends !== this.#ends) this.isBehind = this.isOverdue = true;
    return listing;
  }

  #put(listing: FolderListing): void {
    const piece = listing.offset / PIECE;
    // The folder was read again since the other pieces came: they are asked for again when they are seen.
    const isAnother = this.#reading !== null && listing.listing !== this.#reading;
    if (isAnother) this.#forgetBut(new Set([piece]));
    this.#isRead ||= this.#pieces.size === 0 && listing.unread === 0;
    this.#pieces.put(piece, listing.entries);
    this.#take(listing);
    if (isAnother) this.version += 1;
    if (isAnother) this.need(this.#seen.first, this.#seen.end);
  }

  /** Whether all names are there, of which this is a part: they come all at once, so that nothing that is seen jumps. */
  #hasOutgrown({ listing }: FolderListing): boolean {
    return this.growth.isGoingOn && listing !== this.#reading;
  }

  #take(listing: FolderListing): void {
    this.#reading = listing.listing;
    this.unread = listing.unread;
    this.total = Math.min(listing.total, this.asking.most ?? Infinity);
    this.groups = listing.groups ?? UNGROUPED;
    this.leftOut = listing.left_out ?? 0;
    if (this.growth.take(listing)) void this.#renewing.again();
    this.named = listing.pictures;
    this.pictures = isNarrowed(this.asking) || this.asking.kind === "picture" ? this.total : listing.pictures;
    this.state = "ready";
  }

  #fail(error: unknown): void {
    this.error = error;
    this.state = "failed";
    this.growth.letGo();
    // Once it is there again, all of it is read.
    this.#asked.clear();
  }

  /** What is forgotten is asked for again when it is seen. */
  #forgetBut(kept: ReadonlySet<number>): void {
    for (const piece of [...this.#asked.keys(), ...this.#pieces.numbers]) {
      if (kept.has(piece)) continue;
      this.#pieces.forget(piece);
      this.#asked.delete(piece);
    }
  }
}
