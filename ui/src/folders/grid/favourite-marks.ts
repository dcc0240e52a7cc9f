// The marks of favourites in a grid.
import type { FolderEntry } from "../../api/backend";

export interface FavouriteMarks {
  has: (entry: FolderEntry) => boolean;
  /** Adds a picture to the favourites, or removes it. */
  toggle: (entry: FolderEntry) => void;
}
