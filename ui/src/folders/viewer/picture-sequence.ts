// The pictures that the viewer goes through, in order: those of a folder, or those of an album or a search.
import type { FilePlace, FolderEntry } from "../../api/backend";
import { adjacentPicture } from "../listing/adjacent-picture";
import type { Listing } from "../listing/listing.svelte";

/** A picture and the folder that its name is relative to. */
export interface SequencePicture {
  folder: FilePlace;
  entry: FolderEntry;
}

/** The pictures beside another one. */
export interface Neighbours {
  before: SequencePicture | null;
  after: SequencePicture | null;
}

export interface PictureSequence {
  /** Incremented when the pictures change. */
  readonly version: number;
  /** Returns the picture at an index; undefined until it has arrived. */
  at(index: number): SequencePicture | undefined;
  /** Returns the index of the nearest picture before (-1) or after (1) an index, once it has arrived; null if there is none. */
  adjacent(index: number, step: 1 | -1): Promise<number | null>;
}

/** The pictures of a folder among its entries. */
export class FolderSequence implements PictureSequence {
  constructor(private readonly listing: Listing) {}

  get version(): number {
    return this.listing.version;
  }

  at(index: number): SequencePicture | undefined {
    const { root, path } = this.listing;
    const entry = this.listing.at(index);
    return entry && { folder: { root, path }, entry };
  }

  adjacent(index: number, step: 1 | -1): Promise<number | null> {
    return adjacentPicture(this.listing, index, step);
  }
}
