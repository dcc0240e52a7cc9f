// The destinations that are offered for files: the last ones, and favourites.
import type { FilePlace, Root, TargetFolders } from "../../api/backend";
import { canonicalPath, readableSegment, segmentsOf } from "../../api/names";
import { displayName } from "../entries/display-name";
import { isSamePlace, type NamedFolder } from "../entries/folder-place";

const MAX_RECENT = 10;
const MAX_FAVOURITES = 50;

export interface OfferedFolder extends NamedFolder {
  /** The path with the root's name: "Photos › Trips". */
  label: string;
  isFavourite: boolean;
}

/** Returns the folders after a use of one. */
export function withRecent({ recent, favourites }: TargetFolders, { root, path }: FilePlace): TargetFolders {
  return { favourites, recent: [{ root, path }, ...without(recent, { root, path })].slice(0, MAX_RECENT) };
}

export function isFavourite({ favourites }: TargetFolders, place: FilePlace): boolean {
  return favourites.some((one) => isSamePlace(placeOf(one), place));
}

/** Returns the folders with one more favourite, or one fewer. */
export function toggledFavourite(folders: TargetFolders, { root, path }: FilePlace): TargetFolders {
  const { favourites, recent } = folders;
  const others = without(favourites, { root, path });
  return { recent, favourites: others.length < favourites.length ? others : [...favourites, { root, path }].slice(-MAX_FAVOURITES) };
}

/** Returns favourites, then the other recent folders, without those of closed roots. */
export function offered(folders: TargetFolders, roots: readonly Root[]): OfferedFolder[] {
  const recent = folders.recent.filter((one) => !isFavourite(folders, placeOf(one)));
  return [...folders.favourites, ...recent].flatMap((one) => {
    const place = placeOf(one);
    const root = roots.find(({ id, available }) => id === place.root && available);
    return root ? [{ ...place, ...namesOf(place, root), isFavourite: isFavourite(folders, place) }] : [];
  });
}

/** Returns the name of a folder, and its path with the root's name. */
export function namesOf({ path }: FilePlace, root: Pick<Root, "name">): { name: string; label: string } {
  const names = [root.name, ...segmentsOf(path).map(readableSegment)].map(displayName);
  return { name: names.at(-1) ?? "", label: names.join(" › ") };
}

function placeOf({ root, path }: TargetFolders["recent"][number]): FilePlace {
  return { root, path: canonicalPath(path) };
}

function without(folders: TargetFolders["recent"], place: FilePlace): TargetFolders["recent"] {
  return folders.filter((one) => !isSamePlace(placeOf(one), place));
}
