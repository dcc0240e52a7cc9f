// The meaning of the addresses of the pictures view.
import type { FolderEntry, FolderGroup, FolderQuery } from "../../api/backend";
import { resolvePath, canonicalPath, encodeName, type EncodedPath, encodePathFields, joinPath, lastSegment, parentPath, ROOT_PATH } from "../../api/names";
import { galleryFrom, type GalleryPlace, galleryQuery } from "../../api/addresses/gallery-address";
import { ownPlace, SEARCH_ROOT } from "../../api/addresses/found-address";
import { picturesAddress as folderAddress } from "../../api/addresses/pictures-address";
import { type Filter, filterFrom, filterQuery, isFilterActive, NO_FILTER } from "./filter";
import { type Grouping, GROUPINGS } from "./order";

export interface FolderPlace {
  /** Null if no folder is selected. */
  root: string | null;
  path: EncodedPath;
  /** The name of the picture in the viewer, or its path from the folder. */
  view: EncodedPath | null;
  /** Absent if the folder is not filtered. */
  filter?: Filter;
  /** Absent for the last used grouping. */
  group?: Grouping | undefined;
  /** The gallery in a page from which the picture was opened, and among whose pictures it is shown. */
  gallery?: GalleryPlace | undefined;
  /** The query of the search from whose results the picture was opened, and among which it is shown. */
  found?: string | undefined;
  /** The query of the search whose results are shown as a folder. */
  results?: string | undefined;
  /** The smart album that the search is saved as. */
  saved?: string | undefined;
  /** The album from which the picture was opened, and among whose pictures it is shown. */
  album?: string | undefined;
}

/** The current folder. */
interface FolderLocation {
  root: string;
  path: EncodedPath;
  query: Pick<FolderQuery, "group">;
}

/** The display options of a folder that its address contains. */
export type Showing = Pick<FolderPlace, "filter" | "group" | "gallery" | "found" | "album" | "results" | "saved">;

/** Returns the address of a folder, or of a picture in it. */
export function picturesAddress(root: string | null, path: EncodedPath = ROOT_PATH, view: EncodedPath | null = null, { filter = NO_FILTER, group, gallery, found, album, results, saved }: Showing = {}): string {
  const address = folderAddress(root, path, view);
  const ofGallery = gallery && view !== null ? galleryQuery(gallery) : "";
  const ofSearch = found !== undefined && view !== null ? new URLSearchParams({ found }).toString() : "";
  const ofAlbum = album !== undefined && view !== null ? new URLSearchParams({ album }).toString() : "";
  const ofResults = results === undefined ? "" : new URLSearchParams({ q: results, ...(saved === undefined ? {} : { saved }) }).toString();
  const query = [filterQuery(filter), group === undefined ? "" : `group=${group}`, ofGallery, ofSearch, ofAlbum, ofResults].filter(Boolean).join("&");
  if (root === null || query === "") return address;
  return `${address}${view === null ? "?" : "&"}${query}`;
}

/**
 * Returns the address that opening an entry of a folder leads to, with these options; null if the entry can't be
 * opened.
 */
export function entryAddress(root: string, path: EncodedPath, entry: FolderEntry, showing: Showing = {}): string | null {
  if (entry.kind === "other") return null;
  if (root === SEARCH_ROOT && showing.results === undefined) {
    const own = ownPlace({ root, path: joinPath(path, entry) });
    return picturesAddress(own.root, parentPath(own.path) ?? ROOT_PATH, lastSegment(own.path));
  }
  return entry.kind === "folder" ? picturesAddress(root, joinPath(path, entry)) : picturesAddress(root, path, encodeName(entry), showing);
}

/** Returns the address of a group: the folder that contains all of it, unless that is the current one. */
export function groupAddress({ root, path, query }: FolderLocation, { key, key_bytes }: FolderGroup): string | null {
  if (query.group !== "folder" || !key) return null;
  const own = ownPlace({ root, path: resolvePath(path, encodePathFields(key, key_bytes)) });
  return picturesAddress(own.root, own.path);
}

/** Returns the address of an entry's folder, if it is below the current one. */
export function ownFolderAddress({ root, path }: Pick<FolderLocation, "root" | "path">, { folder, folder_bytes }: FolderEntry): string | null {
  if (!folder) return null;
  const own = ownPlace({ root, path: resolvePath(path, encodePathFields(folder, folder_bytes)) });
  return picturesAddress(own.root, own.path);
}

function resultsFrom(query: URLSearchParams): Pick<FolderPlace, "results" | "saved"> {
  const saved = query.get("saved");
  return { results: query.get("q") ?? "", ...(saved === null ? {} : { saved }) };
}

/** Returns the place that an address names, or null if it is not an address of the view. */
export function parsePicturesAddress(url: URL): FolderPlace | null {
  if (url.pathname !== "/pictures" && !url.pathname.startsWith("/pictures/")) return null;
  const [root, ...folders] = url.pathname.slice("/pictures/".length).split("/");
  const view = rawQuery(url, "view");
  const filter = filterFrom(url.searchParams);
  const group = GROUPINGS.find((one) => one === url.searchParams.get("group"));
  const gallery = view === null ? null : galleryFrom(url.searchParams);
  const found = view === null ? null : url.searchParams.get("found");
  const album = view === null ? null : url.searchParams.get("album");
  return {
    root: root ? decodeURIComponent(root) : null,
    path: canonicalPath(folders.join("/")),
    view: (view !== null && canonicalPath(view)) || null,
    ...(isFilterActive(filter) ? { filter } : {}),
    ...(group === undefined ? {} : { group }),
    ...(gallery === null ? {} : { gallery }),
    ...(found === null ? {} : { found }),
    ...(album === null ? {} : { album }),
    ...(root === SEARCH_ROOT ? resultsFrom(url.searchParams) : {}),
  };
}

/** Returns a query value before decoding, as it may contain bytes that are not UTF-8. */
function rawQuery(url: URL, name: string): string | null {
  const start = `${name}=`;
  const part = url.search.slice(1).split("&").find((pair) => pair.startsWith(start));
  return part === undefined ? null : part.slice(start.length).replaceAll("+", "%20");
}
