// The hash folder whose records are shown, for the view and for the side panel beside it.
import { OWN_FOLDER } from "../api/hashes";

class ShownFolder {
  /** The id: `own`, `wiki`, or a grant. */
  id = $state(OWN_FOLDER);
  /** The number of changes of records by hand since the start. */
  changes = $state(0);
}

export const shownFolder = new ShownFolder();
