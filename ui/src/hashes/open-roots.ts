// The open folders known to the frame.
import type { Root } from "../api/backend";

export interface OpenRoots {
  readonly items: readonly Root[];
  /** Reads the folders unless they are known. */
  ensure(): unknown;
}
