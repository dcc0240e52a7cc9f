// What headers and sidecars tell of the pictures that are seen is shown while the rest of a folder is still being read.
import type { FolderEntry } from "../api/backend";
import { encodeName } from "../api/names";
import { dependsOnHeaders } from "./asking";
import type { Listing } from "./listing.svelte";
import { rest, untilSeen } from "./waiting";

/** Between two questions, in milliseconds. */
const PAUSE = 1_000;
/** About so many entries it is asked at once. */
export const ENTRIES_AT_ONCE = 200;
/** So often in vain: some pictures never have a size, as drawings, and those that are broken. */
export const QUESTIONS_IN_VAIN = 5;

export class SeenHeaders {
  readonly #ending = new AbortController();
  /** How often it was asked in vain about a picture, in each of its states. */
  readonly #vain = new Map<string, number>();
  #seen = { first: 0, end: 0 };
  /** What is seen, and how often more had been read by then, in one. */
  #looked: string | null = null;
  #isDue = false;
  #isAsking = false;
  #heard = 0;
  #earliest = 0;

  constructor(private readonly listing: Pick<Listing, "asking" | "at" | "heard" | "large" | "learnOf" | "unread">) {}

  /** These places are seen, and nothing rushes by. Again when more has been read. */
  look(first: number, end: number): void {
    const { heard } = this.listing;
    const looked = `${first} ${end} ${heard}`;
    if (looked === this.#looked) return;
    // What is seen at first has just been asked for, with all around it.
    this.#isDue = this.#looked !== null || heard > 0;
    this.#looked = looked;
    this.#seen = { first, end };
    void this.#ask();
  }

  /** Until it is looked at something again. */
  rush(): void {
    this.#isDue = false;
    this.#looked = "";
  }

  dispose(): void {
    this.#ending.abort();
  }

  /** Also where nothing more is known yet: what is asked for last, the server reads first. */
  async #ask(): Promise<void> {
    const { signal } = this.#ending;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isDue && !signal.aborted) {
      await rest(this.#earliest - performance.now(), signal);
      if (!signal.aborted) await untilSeen(signal);
      if (signal.aborted || !this.#isDue) break;
      this.#isDue = false;
      const { first, end } = this.#seen;
      const [from] = this.#missing(first, end);
      if (from) await this.#askAbout(from.index, Math.min(end, from.index + ENTRIES_AT_ONCE));
    }
    this.#isAsking = false;
  }

  async #askAbout(first: number, end: number): Promise<void> {
    const { listing } = this;
    const before = this.#missing(first, end).length;
    const isMoreKnown = listing.heard !== this.#heard;
    this.#heard = listing.heard;
    this.#earliest = performance.now() + PAUSE;
    await listing.learnOf(first, end);
    const left = this.#missing(first, end);
    if (!isMoreKnown || left.length < before) return;
    for (const { id } of left) this.#vain.set(id, (this.#vain.get(id) ?? 0) + 1);
  }

  /** The pictures among these places of whose headers something may still come. */
  #missing(first: number, end: number): { index: number; id: string }[] {
    const { listing } = this;
    // Where headers decide about the order, it is asked for anew at the end; a picture that is shown large has its own questions.
    if (listing.unread === 0 || listing.large || dependsOnHeaders(listing.asking)) return [];
    const found = [];
    for (let index = first; index < end; index++) {
      const entry = listing.at(index);
      if (!entry || !isHeaderMissing(entry)) continue;
      const id = entry.id ?? encodeName(entry);
      if ((this.#vain.get(id) ?? 0) < QUESTIONS_IN_VAIN) found.push({ index, id });
    }
    return found;
  }
}

function isHeaderMissing({ kind, width, state }: FolderEntry): boolean {
  return kind === "picture" && !width && state !== "undecodable";
}
