// Which picture of a folder is shown large, where it stands, and which ones stand beside it.
import { untrack } from "svelte";
import type { FolderEntry } from "../api/backend";
import { encodeName, type EncodedPath } from "../api/names";
import { isNarrowed } from "./asking";
import type { Listing } from "./listing.svelte";
import { neighbour } from "./neighbours";
import { placeAmongPictures } from "./position";

export interface Seen {
  /** Halfway between two places where the picture stands in none any more. */
  index: number;
  entry: FolderEntry;
  /** Which of the pictures it is, from 1, as far as that is known. */
  place: number | null;
  before: number | null;
  after: number | null;
}

export interface LookingDesk {
  /** Whether something is done with the folder that is not to be seen yet. */
  isHeld: () => boolean;
  /** Told where the picture stands. */
  onfound: (index: number) => void;
}

export class Looking {
  /** Where the picture stands, and the pictures beside it. */
  seen = $state.raw<Seen | null>(null);
  /** Whether it is not there. */
  missing = $state(false);

  /** In which listing it was found. */
  #of: Listing | null = null;

  constructor(private readonly desk: LookingDesk) {}

  /** Looks for a picture in what is known of the folder by now; returns how to stop. */
  follow(listing: Listing, wanted: EncodedPath | null): (() => void) | undefined {
    // It may have become another, gone or come.
    void listing.version;
    listing.large = null;
    if (wanted === null) {
      this.seen = null;
      this.missing = false;
      return undefined;
    }
    let ended = false;
    void this.#look(listing, wanted, () => ended);
    return () => (ended = true);
  }

  async #look(listing: Listing, wanted: EncodedPath, ended: () => boolean): Promise<void> {
    const known = untrack(() => this.seen);
    const near = [known?.index, known?.before, known?.after].find((at) => {
      const entry = at === null || at === undefined ? undefined : untrack(() => listing.at(at));
      return entry !== undefined && encodeName(entry) === wanted;
    });
    const index = near ?? (await listing.find(wanted));
    if (ended()) return;
    const entry = index === null ? undefined : untrack(() => listing.at(index));
    // What one has done oneself leads on from it.
    if (listing.state === "ready" && entry === undefined && this.desk.isHeld()) return;
    if (listing.state === "ready" && entry === undefined && known && this.#of === listing && isLetGo(listing, known, wanted)) {
      await this.#stay(listing, known, ended);
      return;
    }
    // While more names come, it may be among those.
    this.missing = listing.state === "ready" && entry === undefined && !listing.growth.isGoingOn;
    if (index === null || entry === undefined) {
      this.seen = null;
      return;
    }
    // Its neighbours stay until it is known who they are now.
    const same = known?.index === index && encodeName(known.entry) === wanted ? known : null;
    // What came to a folder may have pushed it out of its gallery.
    const place = () => untrack(() => (index < listing.total ? placeAmongPictures(listing, index) : null));
    this.seen = { index, entry, place: place(), before: same?.before ?? null, after: same?.after ?? null };
    listing.large = { index, entry };
    this.#of = listing;
    this.desk.onfound(index);
    const [before, after] = await Promise.all([neighbour(listing, index, -1), neighbour(listing, index, 1)]);
    if (!ended()) this.seen = { index, entry, place: place(), before, after };
  }

  /** What the filter lets through no more, since it was rated, say, stays until one goes on. */
  async #stay(listing: Listing, { index: was, entry }: Seen, ended: () => boolean): Promise<void> {
    const index = Number.isInteger(was) ? was - 0.5 : was;
    const [before, after] = await Promise.all([neighbour(listing, index, -1), neighbour(listing, index, 1)]);
    if (!ended()) this.seen = { index, entry, place: null, before, after };
  }
}

function isLetGo({ asking }: Listing, { entry }: Seen, wanted: EncodedPath): boolean {
  return isNarrowed(asking) && encodeName(entry) === wanted;
}
