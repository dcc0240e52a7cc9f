// The breadcrumbs of a folder: its root, the folders above it, and the current picture.
import type { Root } from "../../api/backend";
import type { Crumb } from "../../api/host";
import { type EncodedPath, readableSegment, ROOT_PATH, segmentsOf } from "../../api/names";
import { picturesAddress, type Showing } from "./address";
import { displayName } from "../entries/display-name";

/** Returns the breadcrumbs. The link from a picture back to its folder keeps the folder's display options. */
export function breadcrumbs(root: Root, path: EncodedPath, picture: string | null, showing: Showing): Crumb[] {
  const names = segmentsOf(path);
  const addressOf = (folder: EncodedPath) => picturesAddress(root.id, folder, null, folder === path ? showing : {});
  const crumbs: Crumb[] = [{ label: displayName(root.name), href: addressOf(ROOT_PATH) }];
  names.forEach((name, index) => {
    const above = names.slice(0, index + 1).join("/") as EncodedPath;
    crumbs.push({ label: displayName(readableSegment(name)), href: addressOf(above) });
  });
  if (picture !== null) return [...crumbs, { label: picture }];
  const last = crumbs.pop();
  return last ? [...crumbs, { label: last.label }] : crumbs;
}
