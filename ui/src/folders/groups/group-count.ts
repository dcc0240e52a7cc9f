// The number of entries in a group, named by their kind.
import type { FolderGroup } from "../../api/backend";
import { t } from "../../i18n";
import { type ListingQuery, hasMetadataFilter } from "../query/listing-query";

/** The facts about the whole folder. */
interface FolderFacts {
  readonly query: ListingQuery;
  readonly groups: readonly FolderGroup[];
  readonly total: number;
  /** The number of pictures among all entries. */
  readonly nameMatches: number;
}

export function groupCount(group: FolderGroup, folder: FolderFacts): string {
  return t(isOfPictures(group, folder) ? "filter.group_pictures" : "filter.group_count", { count: group.count });
}

/** True if the group has a key, which may be empty: pictures of unknown cameras. */
function isNamed({ key }: Pick<FolderGroup, "key">): boolean {
  return key !== null && key !== undefined;
}

/** True if a group only contains pictures. Folders are in the group without a name, other files in any. */
function isOfPictures({ key }: FolderGroup, { query, groups, total, nameMatches }: FolderFacts): boolean {
  if (hasMetadataFilter(query)) return true;
  // Grouping by folder yields no folders.
  if (query.group === "folder") return nameMatches === total;
  const unnamed = groups.find((one) => !isNamed(one))?.count ?? 0;
  return isNamed({ key }) && nameMatches === total - unnamed;
}
