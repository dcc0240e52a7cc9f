// The picture of a folder in the viewer, its index, and its neighbours.
import { untrack } from "svelte";
import type { FilePlace, FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import { hasMetadataFilter } from "../query/listing-query";
import { fileNamed } from "../entries/companions";
import { isSamePlace } from "../entries/folder-place";
import type { Listing } from "../listing/listing.svelte";
import { adjacentPicture } from "../listing/adjacent-picture";
import { pictureNumber } from "../listing/picture-number";

export interface CursorPosition {
  /** The index; halfway between two indices if the picture is no longer in the listing. */
  index: number;
  entry: FolderEntry;
  /** The folder of the listing. The picture stays until that of another folder is found. */
  folder: FilePlace;
  /** The number of the picture among all pictures, from 1, if it is known. */
  number: number | null;
  before: number | null;
  after: number | null;
}

export interface CursorContext {
  /** True while an operation on the folder delays its updates. */
  isHeld: () => boolean;
  /** Called with the index of the picture. */
  onfound: (index: number) => void;
}

export class PictureCursor {
  /** The picture, its index and its neighbours. */
  position = $state.raw<CursorPosition | null>(null);
  /** True if the picture does not exist. */
  isMissing = $state(false);

  /** The listing in which it was found. */
  #of: Listing | null = null;

  constructor(private readonly context: CursorContext) {}

  /** Finds a picture in the current data of the folder. Returns a function that stops it. */
  follow(listing: Listing, wanted: EncodedPath | null): (() => void) | undefined {
    // The picture may have changed, or may have been added or removed.
    void listing.version;
    listing.viewerPicture = null;
    if (wanted === null) {
      this.position = null;
      this.isMissing = false;
      return undefined;
    }
    let isStale = false;
    void this.#locate(listing, wanted, () => isStale);
    return () => (isStale = true);
  }

  async #locate(listing: Listing, wanted: EncodedPath, ended: () => boolean): Promise<void> {
    const position = untrack(() => this.position);
    const near = [position?.index, position?.before, position?.after].find((at) => {
      const entry = at === null || at === undefined ? undefined : untrack(() => listing.at(at));
      return entry !== undefined && fileNamed(entry, wanted) !== undefined;
    });
    const index = near ?? (await listing.find(wanted));
    if (ended()) return;
    const entry = index === null ? undefined : untrack(() => listing.at(index));
    // The user's own operation leads on from it.
    if (listing.state === "ready" && entry === undefined && this.context.isHeld()) return;
    if (listing.state === "ready" && entry === undefined && position && this.#of === listing && wasFilteredOut(listing, position, wanted)) {
      await this.#keepRemoved(listing, position, ended);
      return;
    }
    // More names are being read, and the picture may be among them.
    this.isMissing = listing.state === "ready" && entry === undefined && !listing.progress.isPartial;
    if (index === null || entry === undefined) {
      this.position = null;
      return;
    }
    // The neighbours stay until the new ones are known.
    const { root, path } = listing;
    const folder = { root, path };
    const same = position?.index === index && isSamePlace(position.folder, folder) && encodeName(position.entry) === encodeName(entry) ? position : null;
    // New pictures may have pushed it out of its gallery.
    const number = () => untrack(() => (index < listing.total ? pictureNumber(listing, index) : null));
    this.position = { index, entry, folder, number: number(), before: same?.before ?? null, after: same?.after ?? null };
    listing.viewerPicture = { index, entry };
    this.#of = listing;
    this.context.onfound(index);
    const [before, after] = await Promise.all([adjacentPicture(listing, index, -1), adjacentPicture(listing, index, 1)]);
    if (!ended()) this.position = { index, entry, folder, number: number(), before, after };
  }

  /** Keeps a picture that no longer matches the filter, for example after a rating, until the user moves on. */
  async #keepRemoved(listing: Listing, { index: was, entry, folder }: CursorPosition, ended: () => boolean): Promise<void> {
    const index = Number.isInteger(was) ? was - 0.5 : was;
    const [before, after] = await Promise.all([adjacentPicture(listing, index, -1), adjacentPicture(listing, index, 1)]);
    if (!ended()) this.position = { index, entry, folder, number: null, before, after };
  }
}

function wasFilteredOut({ query }: Listing, { entry }: CursorPosition, wanted: EncodedPath): boolean {
  return (hasMetadataFilter(query) || query.search !== undefined) && fileNamed(entry, wanted) !== undefined;
}
