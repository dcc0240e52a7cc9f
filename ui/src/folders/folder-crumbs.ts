// Where a folder is: its root, the folders on the way, and the picture that is shown.
import type { Root } from "../api/backend";
import type { Crumb } from "../api/host";
import { type EncodedPath, readableSegment, segmentsOf } from "../api/names";
import { picturesAddress } from "./address";
import { shownName } from "./shown-name";

export function crumbsOf(root: Root, path: EncodedPath, picture: string | null): Crumb[] {
  const names = segmentsOf(path);
  const crumbs: Crumb[] = [{ label: shownName(root.name), href: picturesAddress(root.id) }];
  names.forEach((name, index) => {
    const above = names.slice(0, index + 1).join("/") as EncodedPath;
    crumbs.push({ label: shownName(readableSegment(name)), href: picturesAddress(root.id, above) });
  });
  if (picture !== null) return [...crumbs, { label: picture }];
  const here = crumbs.pop();
  return here ? [...crumbs, { label: here.label }] : crumbs;
}
