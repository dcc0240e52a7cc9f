// The folders that are open, as the frame knows them.
import type { Root } from "../api/backend";

export interface KnownRoots {
  readonly items: readonly Root[];
  /** Reads them where they are not known yet. */
  ensure(): unknown;
}
