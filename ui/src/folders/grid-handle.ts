// What the grid lets the room do with it.
import type { FolderEntry } from "../api/backend";

export interface GridHandle {
  /** Puts the focus on a cell, wherever it is; on the one where it was when none is named. */
  focus(index?: number): Promise<void>;
  /** Has one type how the name begins to which one wants to go. */
  goTo(): void;
}

/** Holds on to what is seen while the entries change. */
export interface Held {
  /** What is to be seen where it is now. */
  anchor: { index: number; entry: FolderEntry } | null;
  /** Called when they have; resolves when all is in its place. */
  letGo: () => Promise<void>;
}
