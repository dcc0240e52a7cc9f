// The pictures that a box of a page shows: those of a folder, or those of an album.
import type { Backend, FilePlace, FolderEntry } from "../../api/backend";
import { albumAddress } from "../../api/addresses/album-address";
import { foundAddress, SEARCH_ROOT } from "../../api/addresses/found-address";
import { type GalleryPlace, galleryQuery } from "../../api/addresses/gallery-address";
import { albumPictureAddress, picturesAddress } from "../../api/addresses/pictures-address";
import type { AlbumInfo } from "../../api/albums";
import { FolderWatch } from "../../api/events/folder-watch.svelte";
import { encodeName, type EncodedPath, encodePathFields, joinPath, parentPath, ROOT_PATH } from "../../api/names";
import { t } from "../../i18n";
import { albumNamed, type AlbumOptions, shownAlbumName } from "../fences/album-options";
import { type GalleryOptions, placeOfFolder } from "../fences/gallery-options";

export type SourceBackend = Pick<Backend, "folders" | "roots" | "events" | "albums">;

export interface BoxPicture {
  entry: FolderEntry;
  place: FilePlace;
  /** The address at which it is opened, without the query that leads back to the page. */
  address: string;
}

export interface BoxContents {
  pictures: readonly BoxPicture[];
  /** The number of pictures without the limit. */
  total: number;
  /** The name of the folder or the album, and its address. */
  name: string;
  address: string;
}

export interface GallerySource {
  /** The name for messages, as written. */
  readonly name: string;
  /** Reads the pictures. Text explains why there are none to show. */
  read(signal: AbortSignal): Promise<BoxContents | string>;
  /** Returns the query by which a picture that is opened from the page finds its neighbours and the way back. */
  context(page: string): string;
  dispose(): void;
}

/** Drops the fields without a value: a query has no such parameters. */
function definedOf<T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function placeIn(page: string, { sort = "name", order = "asc", limit }: Pick<GalleryOptions, "sort" | "order" | "limit">): GalleryPlace {
  return { page, sort, order, limit };
}

export class FolderSource implements GallerySource {
  readonly name: string;
  readonly #removers: (() => void)[];
  #watch: FolderWatch | null = null;

  /** `onchanged` is called for each change that may concern the pictures. */
  constructor(
    private readonly options: GalleryOptions,
    private readonly backend: SourceBackend,
    private readonly onchanged: () => void,
  ) {
    this.name = options.folder;
    const { events } = backend;
    this.#removers = [
      events.on("folder.changed", ({ root, path, path_bytes }) => {
        if (path === null || path === undefined || this.#isOf(root, encodePathFields(path, path_bytes))) onchanged();
      }),
      events.on("folder.read", ({ root, path, path_bytes, unread }) => {
        // The capture times and marks of pictures are only known once all pictures have been read.
        const { sort, rating, tag } = this.options;
        const depends = sort === "taken" || rating !== undefined || tag !== undefined;
        if (depends && unread === 0 && this.#isOf(root, encodePathFields(path, path_bytes))) onchanged();
      }),
      events.on("resync", onchanged),
    ];
  }

  async read(signal: AbortSignal): Promise<BoxContents | string> {
    const { folder, sort, order, filter, rating, tag, limit } = this.options;
    const place = placeOfFolder(folder, await this.backend.roots.list(signal));
    signal.throwIfAborted();
    if (place === null) return t("gallery.not_open", { folder });
    const { root, path } = { root: place.root.id, path: place.path };
    await this.#follow(root, path);
    signal.throwIfAborted();
    const query = { root, path, sort, order, filter, rating, tag, limit, kind: "picture", offset: 0 } as const;
    const { entries, total } = await this.backend.folders.list(definedOf(query), signal);
    const pictures = entries.map((entry) => ({ entry, place: { root, path: joinPath(path, entry) }, address: picturesAddress(root, path, encodeName(entry)) }));
    return { pictures, total, name: folder, address: picturesAddress(root, path) };
  }

  context(page: string): string {
    const { filter, rating, tag } = this.options;
    const narrowing = new URLSearchParams(Object.entries({ filter, rating, tag }).filter((one): one is [string, string] => Boolean(one[1])));
    return [narrowing.toString(), galleryQuery(placeIn(page, this.options))].filter(Boolean).join("&");
  }

  dispose(): void {
    this.#removers.forEach((remove) => remove());
    this.#watch?.dispose();
  }

  #isOf(root: string, path: EncodedPath): boolean {
    return this.#watch?.root === root && this.#watch.path === path;
  }

  /** Watches a folder before it is read, so that no change is missed. */
  async #follow(root: string, path: EncodedPath): Promise<void> {
    if (this.#isOf(root, path)) return;
    this.#watch?.dispose();
    this.#watch = new FolderWatch(this.backend, root, path, this.onchanged);
    await this.#watch.ready;
  }
}

export class AlbumSource implements GallerySource {
  readonly name: string;
  readonly #removers: (() => void)[];
  /** The folders of the pictures in the box. */
  #folders: ReadonlySet<string> = new Set();
  /** The search of a smart album; null for an album with a list. */
  #search: string | null = null;
  /** Follows the folders in which a smart album searches. */
  #watch: FolderWatch | null = null;

  constructor(
    private readonly options: AlbumOptions,
    private readonly backend: SourceBackend,
    private readonly onchanged: () => void,
  ) {
    this.name = options.album || (options.id ?? "");
    const { events } = backend;
    this.#removers = [
      events.on("albums.changed", onchanged),
      events.on("folder.changed", ({ root, path, path_bytes }) => {
        const isAny = path === null || path === undefined;
        if (isAny || this.#search !== null || this.#folders.has(`${root}/${encodePathFields(path, path_bytes)}`)) onchanged();
      }),
      events.on("folder.read", ({ unread }) => {
        if (unread === 0 && this.#search !== null) onchanged();
      }),
      events.on("resync", onchanged),
    ];
  }

  async read(signal: AbortSignal): Promise<BoxContents | string> {
    const album = albumNamed(this.options, await this.backend.albums.list(signal));
    signal.throwIfAborted();
    if (album === null) return t("gallery.album_missing", { album: this.name });
    const { search } = album;
    this.#search = search ?? null;
    if (typeof search === "string") return this.#found(album, search, signal);
    this.#watch?.dispose();
    this.#watch = null;
    // Its own order is what an album is for.
    if (this.options.sort !== undefined) return t("gallery.album_sort", { album: shownAlbumName(album) });
    return this.#listed(album, signal);
  }

  context(page: string): string {
    return galleryQuery(placeIn(page, this.options));
  }

  dispose(): void {
    this.#removers.forEach((remove) => remove());
    this.#watch?.dispose();
  }

  async #listed(album: AlbumInfo, signal: AbortSignal): Promise<BoxContents> {
    const { pictures } = await this.backend.albums.get(album.id, signal);
    const present = pictures.flatMap(({ root, entry }): BoxPicture[] => {
      if (typeof root !== "string" || !entry) return [];
      const place = { root, path: encodeName(entry) };
      return [{ entry, place, address: albumPictureAddress(place, album.id) }];
    });
    if (this.options.order === "desc") present.reverse();
    const shown = present.slice(0, this.options.limit);
    this.#folders = new Set(shown.map(({ place: { root, path } }) => `${root}/${parentPath(path) ?? ROOT_PATH}`));
    return { pictures: shown, total: present.length, name: shownAlbumName(album), address: albumAddress(album.id) };
  }

  async #found(album: AlbumInfo, search: string, signal: AbortSignal): Promise<BoxContents> {
    this.#watch ??= new FolderWatch(this.backend, SEARCH_ROOT, ROOT_PATH, this.onchanged);
    await this.#watch.ready;
    signal.throwIfAborted();
    const { sort, order, limit } = this.options;
    const query = { root: SEARCH_ROOT, path: ROOT_PATH, search, sort, order, limit, kind: "picture", offset: 0 } as const;
    const { entries, total } = await this.backend.folders.list(definedOf(query), signal);
    const among = new URLSearchParams({ q: search, saved: album.id }).toString();
    const pictures = entries.map((entry) => {
      const path = encodeName(entry);
      return { entry, place: { root: SEARCH_ROOT, path }, address: `${picturesAddress(SEARCH_ROOT, ROOT_PATH, path)}&${among}` };
    });
    return { pictures, total, name: shownAlbumName(album), address: foundAddress(search, album.id) };
  }
}
