// The viewer of a folder: its picture, and the way back to the grid.
import type { EncodedPath } from "../../api/names";
import type { Listing } from "../listing/listing.svelte";
import { sessionMemory } from "../session/session-memory";
import { Fullscreen } from "./fullscreen.svelte";
import { PictureCursor } from "./picture-cursor.svelte";
import { ViewerTrash } from "./viewer-trash";

export class ViewerState {
  readonly trash = new ViewerTrash();
  /** In full screen, the information panel is part of the viewer. */
  readonly fullscreen = new Fullscreen();
  /** True while the picture is cropped. */
  isCropping = $state(false);
  #isInfoShown = $state(sessionMemory.isInfoShown);
  readonly #cursor: PictureCursor;
  #listing: Listing | null = null;
  /** The name in the viewer after the last change; undefined before the first one. */
  #name: EncodedPath | null | undefined;
  /** True if the grid is the previous history entry: closing then goes back in the history. */
  #isAfterGrid = false;
  /** The cell that gets the focus when the viewer closes. */
  #lastIndex: number | null = null;

  /** Creates the closed viewer. `isHeld` is true while an operation on the folder delays its updates. */
  constructor(isHeld: () => boolean) {
    this.#cursor = new PictureCursor({ isHeld, onfound: (index) => this.#found(index) });
  }

  /** The picture, its index and its neighbours; null until it is found. */
  get position() {
    return this.#cursor.position;
  }

  /** True if the picture does not exist. */
  get isMissing(): boolean {
    return this.#cursor.isMissing;
  }

  /** True if the information is shown beside the picture. */
  get isInfoShown(): boolean {
    return this.#isInfoShown;
  }

  get isAfterGrid(): boolean {
    return this.#isAfterGrid;
  }

  readonly toggleInfo = (): void => {
    sessionMemory.isInfoShown = this.#isInfoShown = !this.#isInfoShown;
  };

  readonly startCrop = (): void => {
    this.isCropping = true;
  };

  readonly endCrop = (): void => {
    this.isCropping = false;
  };

  /** Finds the picture in the current data of the folder. Returns a function that stops it. */
  follow(listing: Listing, name: EncodedPath | null): (() => void) | undefined {
    this.#listing = listing;
    return this.#cursor.follow(listing, name);
  }

  /** Handles a change of the picture in the viewer. Returns the cell to focus if the viewer has closed. */
  change(name: EncodedPath | null): number | null {
    this.endCrop();
    if (name !== null && this.#name === null) this.#isAfterGrid = true;
    this.#name = name;
    if (name !== null) return null;
    const index = this.#lastIndex;
    this.#lastIndex = null;
    this.#isAfterGrid = false;
    this.trash.reset();
    return index;
  }

  /** Returns the index of the next (1) or previous (-1) picture; null if there is none. */
  neighbour(by: 1 | -1): number | null {
    const { position } = this;
    return (by === 1 ? position?.after : position?.before) ?? null;
  }

  #found(index: number): void {
    this.#lastIndex = index;
    if (this.#listing) sessionMemory.saveFocus(this.#listing, index);
  }
}
