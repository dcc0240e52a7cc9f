// The picture of a folder in the viewer, its index, and its neighbours.
import { untrack } from "svelte";
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import { isNarrowed } from "../query/listing-query";
import type { Listing } from "../listing/listing.svelte";
import { neighbour } from "../listing/adjacent-picture";
import { placeAmongPictures } from "../listing/picture-number";

export interface Seen {
  /** The index; halfway between two indices if the picture is no longer in the listing. */
  index: number;
  entry: FolderEntry;
  /** The number of the picture among all pictures, from 1, if it is known. */
  place: number | null;
  before: number | null;
  after: number | null;
}

export interface LookingDesk {
  /** True while an operation on the folder delays its updates. */
  isHeld: () => boolean;
  /** Called with the index of the picture. */
  onfound: (index: number) => void;
}

export class Looking {
  /** The picture, its index and its neighbours. */
  seen = $state.raw<Seen | null>(null);
  /** True if the picture does not exist. */
  missing = $state(false);

  /** The listing in which it was found. */
  #of: Listing | null = null;

  constructor(private readonly desk: LookingDesk) {}

  /** Finds a picture in the current data of the folder. Returns a function that stops it. */
  follow(listing: Listing, wanted: EncodedPath | null): (() => void) | undefined {
    // The picture may have changed, or may have been added or removed.
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
    // The user's own operation leads on from it.
    if (listing.state === "ready" && entry === undefined && this.desk.isHeld()) return;
    if (listing.state === "ready" && entry === undefined && known && this.#of === listing && isLetGo(listing, known, wanted)) {
      await this.#stay(listing, known, ended);
      return;
    }
    // More names are being read, and the picture may be among them.
    this.missing = listing.state === "ready" && entry === undefined && !listing.growth.isGoingOn;
    if (index === null || entry === undefined) {
      this.seen = null;
      return;
    }
    // The neighbours stay until the new ones are known.
    const same = known?.index === index && encodeName(known.entry) === wanted ? known : null;
    // New pictures may have pushed it out of its gallery.
    const place = () => untrack(() => (index < listing.total ? placeAmongPictures(listing, index) : null));
    this.seen = { index, entry, place: place(), before: same?.before ?? null, after: same?.after ?? null };
    listing.large = { index, entry };
    this.#of = listing;
    this.desk.onfound(index);
    const [before, after] = await Promise.all([neighbour(listing, index, -1), neighbour(listing, index, 1)]);
    if (!ended()) this.seen = { index, entry, place: place(), before, after };
  }

  /** Keeps a picture that no longer matches the filter, for example after a rating, until the user goes on. */
  async #stay(listing: Listing, { index: was, entry }: Seen, ended: () => boolean): Promise<void> {
    const index = Number.isInteger(was) ? was - 0.5 : was;
    const [before, after] = await Promise.all([neighbour(listing, index, -1), neighbour(listing, index, 1)]);
    if (!ended()) this.seen = { index, entry, place: null, before, after };
  }
}

function isLetGo({ asking }: Listing, { entry }: Seen, wanted: EncodedPath): boolean {
  return isNarrowed(asking) && encodeName(entry) === wanted;
}
