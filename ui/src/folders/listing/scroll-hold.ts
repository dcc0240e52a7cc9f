// The grid's part in a change of a listing: the visible entries stay in place.
import type { FolderEntry } from "../../api/backend";

/** Keeps visible entries in place while the entries change. */
export interface ScrollHold {
  /** The entry that has to stay in place. */
  anchor: { index: number; entry: FolderEntry } | null;
  /** Called after the change; resolves once everything is in place. */
  release: () => Promise<void>;
}
