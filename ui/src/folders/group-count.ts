// How many there are in a group, called by what they are.
import type { FolderGroup } from "../api/backend";
import { t } from "../i18n";
import { type Asking, isNarrowed } from "./asking";

/** What is known of the whole folder. */
interface Whole {
  readonly asking: Asking;
  readonly groups: readonly FolderGroup[];
  readonly total: number;
  /** How many of all that there are are pictures. */
  readonly named: number;
}

export function groupCount(group: FolderGroup, whole: Whole): string {
  return t(isOfPictures(group, whole) ? "filter.group_pictures" : "filter.group_count", { count: group.count });
}

/** Folders stand in the group without a name, other files in any. */
function isOfPictures({ key }: FolderGroup, { asking, groups, total, named }: Whole): boolean {
  if (isNarrowed(asking)) return true;
  // There no folder is among them.
  if (asking.group === "folder") return named === total;
  const unnamed = groups.find((one) => !one.key)?.count ?? 0;
  return Boolean(key) && named === total - unnamed;
}
