// The folders that are offered for new files.
import type { TargetFolders } from "../../api/backend";
import type { NamedFolder } from "../entries/folder-place";

export interface OutputTargets {
  targets: TargetFolders;
  /** Asks for any folder of the computer, and opens it; null in a browser. */
  onopen: (() => Promise<NamedFolder | null>) | null;
  describe: (error: unknown) => string;
}
