// A listing that begins before all names of its folder have been read.
import type { FolderListing } from "../api/backend";

export class Growth {
  /** Whether there are more names, which are still being read. */
  isGoingOn = $state(false);
  /** Of which it was told that they can be asked for again: that may overtake the answer that says so. */
  readonly #ended = new Set<string>();
  #isDoubted = false;

  /** `may`: whether one would rather see some names soon than all of them at once. */
  constructor(readonly may: boolean) {}

  /** An answer has come; whether it can be asked for again already. */
  take({ growing, listing }: FolderListing): boolean {
    this.isGoingOn = growing === true;
    return this.isGoingOn && this.#ended.has(listing);
  }

  /** A listing can be asked for again; whether it is the one that is shown. */
  hear(listing: string, shown: string | null): boolean {
    this.#ended.add(listing);
    return this.isGoingOn && listing === shown;
  }

  /** Something has happened in the folder, of which the names that are being read may not tell. */
  doubt(): void {
    this.#isDoubted = this.isGoingOn;
  }

  /** Whether they have to be read once more, now that all are there; told once. */
  takeDoubt(): boolean {
    if (this.isGoingOn || !this.#isDoubted) return false;
    this.#isDoubted = false;
    return true;
  }
}
