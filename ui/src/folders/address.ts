// What the addresses of the room of the pictures mean.
import type { FolderEntry, FolderGroup, FolderQuery } from "../api/backend";
import { beneath, canonicalPath, encodeName, type EncodedPath, encodeToldPath, joinPath, ROOT_PATH } from "../api/names";
import { galleryFrom, type GalleryPlace, galleryQuery } from "../api/gallery-address";
import { picturesAddress as folderAddress } from "../api/pictures-address";
import { type Filter, filterFrom, filterQuery, isFiltering, NO_FILTER } from "./filter";
import { type Grouping, GROUPINGS } from "./order";

export interface FolderPlace {
  /** null: no folder is chosen. */
  root: string | null;
  path: EncodedPath;
  /** The name of the picture that is shown large, or its path from the folder. */
  view: EncodedPath | null;
  /** Absent: all of it is shown. */
  filter?: Filter;
  /** Absent: as it was last. */
  group?: Grouping | undefined;
  /** Of a picture that was opened from a gallery in a page: it is shown among that gallery's. */
  gallery?: GalleryPlace | undefined;
}

/** A folder that is shown. */
interface Shown {
  root: string;
  path: EncodedPath;
  asking: Pick<FolderQuery, "group">;
}

/** How a folder is shown, as far as its address tells. */
export type Showing = Pick<FolderPlace, "filter" | "group" | "gallery">;

/** A folder's address, or that of one picture in it. */
export function picturesAddress(root: string | null, path: EncodedPath = ROOT_PATH, view: EncodedPath | null = null, { filter = NO_FILTER, group, gallery }: Showing = {}): string {
  const address = folderAddress(root, path, view);
  const ofGallery = gallery && view !== null ? galleryQuery(gallery) : "";
  const query = [filterQuery(filter), group === undefined ? "" : `group=${group}`, ofGallery].filter(Boolean).join("&");
  if (root === null || query === "") return address;
  return `${address}${view === null ? "?" : "&"}${query}`;
}

/** Where one comes by opening something in a folder that is shown so; null for what can't be opened. */
export function entryAddress(root: string, path: EncodedPath, entry: FolderEntry, showing: Showing = {}): string | null {
  if (entry.kind === "other") return null;
  return entry.kind === "folder" ? picturesAddress(root, joinPath(path, entry)) : picturesAddress(root, path, encodeName(entry), showing);
}

/** Where a group leads: to the folder in which all of it lies, if that is another one than is shown. */
export function groupAddress({ root, path, asking }: Shown, { key, key_bytes }: FolderGroup): string | null {
  if (asking.group !== "folder" || !key) return null;
  return picturesAddress(root, beneath(path, encodeToldPath(key, key_bytes)));
}

/** Where something lies, if that is deeper than the folder that is shown. */
export function ownFolderAddress({ root, path }: Pick<Shown, "root" | "path">, { folder, folder_bytes }: FolderEntry): string | null {
  return folder ? picturesAddress(root, beneath(path, encodeToldPath(folder, folder_bytes))) : null;
}

/** The place that an address names, or null if it is none of ours. */
export function parsePicturesAddress(url: URL): FolderPlace | null {
  if (url.pathname !== "/pictures" && !url.pathname.startsWith("/pictures/")) return null;
  const [root, ...folders] = url.pathname.slice("/pictures/".length).split("/");
  const view = rawQuery(url, "view");
  const filter = filterFrom(url.searchParams);
  const group = GROUPINGS.find((one) => one === url.searchParams.get("group"));
  const gallery = view === null ? null : galleryFrom(url.searchParams);
  return {
    root: root ? decodeURIComponent(root) : null,
    path: canonicalPath(folders.join("/")),
    view: (view !== null && canonicalPath(view)) || null,
    ...(isFiltering(filter) ? { filter } : {}),
    ...(group === undefined ? {} : { group }),
    ...(gallery === null ? {} : { gallery }),
  };
}

/** A query's value before decoding: it may hold bytes that are not UTF-8. */
function rawQuery(url: URL, name: string): string | null {
  const start = `${name}=`;
  const part = url.search.slice(1).split("&").find((pair) => pair.startsWith(start));
  return part === undefined ? null : part.slice(start.length).replaceAll("+", "%20");
}
