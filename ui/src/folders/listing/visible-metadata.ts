// Shows the header and sidecar data of visible pictures while the rest of a folder is still being read.
import type { FolderEntry } from "../../api/backend";
import { encodeName } from "../../api/names";
import { dependsOnHeaders } from "../query/listing-query";
import type { Listing } from "./listing.svelte";
import { delay, untilVisible } from "./wait";

/** The minimum interval between two requests, in milliseconds. */
const PAUSE = 1_000;
/** The approximate number of entries in a request. */
export const ENTRIES_AT_ONCE = 200;
/**
 * The maximum number of requests without a result: some pictures never have a size, such as drawings and damaged ones.
 */
export const MAX_FRUITLESS_REQUESTS = 5;

export class VisibleMetadata {
  readonly #ending = new AbortController();
  /** The number of requests without a result for each state of a picture. */
  readonly #fruitless = new Map<string, number>();
  #visible = { first: 0, end: 0 };
  /** The visible range and the progress of reading, as one key. */
  #range: string | null = null;
  #isDue = false;
  #isAsking = false;
  #headerUpdates = 0;
  #earliest = 0;

  constructor(private readonly listing: Pick<Listing, "query" | "at" | "headerUpdates" | "viewerPicture" | "refreshRange" | "unread">) {}

  /** Sets the visible range while scrolling rests. Called again after more was read. */
  setRange(first: number, end: number): void {
    const { headerUpdates } = this.listing;
    const range = `${first} ${end} ${headerUpdates}`;
    if (range === this.#range) return;
    // The first visible range has just been requested with its surroundings.
    this.#isDue = this.#range !== null || headerUpdates > 0;
    this.#range = range;
    this.#visible = { first, end };
    void this.#ask();
  }

  /** Pauses until the next visible range is set. */
  pause(): void {
    this.#isDue = false;
    this.#range = "";
  }

  dispose(): void {
    this.#ending.abort();
  }

  /** Requests the range even if nothing new is known: the server reads the most recent request first. */
  async #ask(): Promise<void> {
    const { signal } = this.#ending;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isDue && !signal.aborted) {
      await delay(this.#earliest - performance.now(), signal);
      if (!signal.aborted) await untilVisible(signal);
      if (signal.aborted || !this.#isDue) break;
      this.#isDue = false;
      const { first, end } = this.#visible;
      const [from] = this.#missing(first, end);
      if (from) await this.#requestRange(from.index, Math.min(end, from.index + ENTRIES_AT_ONCE));
    }
    this.#isAsking = false;
  }

  async #requestRange(first: number, end: number): Promise<void> {
    const { listing } = this;
    const before = this.#missing(first, end).length;
    const isMoreKnown = listing.headerUpdates !== this.#headerUpdates;
    this.#headerUpdates = listing.headerUpdates;
    this.#earliest = performance.now() + PAUSE;
    await listing.refreshRange(first, end);
    const missing = this.#missing(first, end);
    if (!isMoreKnown || missing.length < before) return;
    for (const { id } of missing) this.#fruitless.set(id, (this.#fruitless.get(id) ?? 0) + 1);
  }

  /** Returns the pictures in a range whose headers are still missing. */
  #missing(first: number, end: number): { index: number; id: string }[] {
    const { listing } = this;
    // If the order depends on headers, it is requested again at the end. A picture in the viewer has its own requests.
    if (listing.unread === 0 || listing.viewerPicture || dependsOnHeaders(listing.query)) return [];
    const missing = [];
    for (let index = first; index < end; index++) {
      const entry = listing.at(index);
      if (!entry || !isHeaderMissing(entry)) continue;
      const id = entry.id ?? encodeName(entry);
      if ((this.#fruitless.get(id) ?? 0) < MAX_FRUITLESS_REQUESTS) missing.push({ index, id });
    }
    return missing;
  }
}

function isHeaderMissing({ kind, width, state }: FolderEntry): boolean {
  return kind === "picture" && !width && state !== "undecodable";
}
