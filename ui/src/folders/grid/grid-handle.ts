// The interface of the grid for the view.
import type { FolderEntry } from "../../api/backend";

export interface GridHandle {
  /** Focuses a cell, even outside the view; by default the one that had the focus. */
  focus(index?: number): Promise<void>;
  /** Opens the field for typing the start of a name. */
  goTo(): void;
}

/** Keeps visible entries in place while the entries change. */
export interface Held {
  /** The entry that has to stay in place. */
  anchor: { index: number; entry: FolderEntry } | null;
  /** Called after the change; resolves once everything is in place. */
  letGo: () => Promise<void>;
}
