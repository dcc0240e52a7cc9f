// The pictures of a search or an album, from which one was opened, in the order in which the viewer goes through them.
import type { AlbumPicture, AlbumsApi } from "../../api/albums";
import type { GalleryPlace } from "../../api/addresses/gallery-address";
import type { FilePlace, FolderEntry, FoldersApi } from "../../api/backend";
import { isVideoName } from "../../api/formats/video-name";
import { encodeName, type EncodedPath, encodePathFields, joinPath, lastSegment, parentPath, pathFields, readableSegment, resolvePath, ROOT_PATH } from "../../api/names";
import type { PictureResult, SearchApi } from "../../api/search";
import { folderId } from "../entries/folder-place";
import type { PictureSequence, SequencePicture } from "./picture-sequence";

/** The number of results of one request. */
const RESULTS_AT_ONCE = 100;
/** The number of results after the shown one that are read ahead. */
const AHEAD = 20;
/** The number of results among which a picture is sought that is not one of the first. */
const MAX_SOUGHT = 2_000;

/** The pictures that are gone through: the results of a search, or an album. */
export type Tour = { kind: "search"; query: string } | AlbumTour;

interface AlbumTour {
  kind: "album";
  id: string;
  /** The order and the limit of the box in a page from which a picture was opened; null for the album itself. */
  within: Pick<GalleryPlace, "order" | "limit"> | null;
}

interface Sources {
  search: Pick<SearchApi, "find">;
  albums: Pick<AlbumsApi, "get">;
  folders: Pick<FoldersApi, "list">;
}

/** A picture as it was found: what a search does not tell of it is read before it is shown. */
interface FoundPicture extends SequencePicture {
  isResult?: true;
}

export class FoundPictures implements PictureSequence {
  version = $state(0);
  #all = $state.raw<readonly FoundPicture[]>([]);
  /** The number of pictures that are still to be read. */
  #unread = $state(0);
  readonly #indices = $derived.by(() => new Map(this.#all.map(({ folder, entry }, index) => [idOf(folder, encodeName(entry)), index])));
  /** Reads the next pictures; null if there are no more. */
  #next: (() => Promise<void>) | null = null;
  #reading: Promise<void> | null = null;
  #ending = new AbortController();

  constructor(private readonly sources: Sources) {}

  get count(): number {
    return this.#all.length + this.#unread;
  }

  /** Reads the first pictures. Returns a function that stops it. */
  follow(tour: Tour): () => void {
    const ending = (this.#ending = new AbortController());
    this.#set([], 0);
    this.#next = tour.kind === "search" ? () => this.#readResults(tour.query, null, ending.signal) : () => this.#readAlbum(tour, ending.signal);
    void this.#more();
    return () => {
      ending.abort();
      this.#next = this.#reading = null;
    };
  }

  /** Reads on, if the shown picture is near the last one that was read, or not among them. */
  readAround(index: number): void {
    const { length } = this.#all;
    if (index < 0 ? length < MAX_SOUGHT : index + AHEAD >= length) void this.#more();
  }

  /** Reads the entries of the pictures beside an index, so that these can be decoded ahead. */
  readBeside(index: number): void {
    for (const picture of [this.#all[index + 1], this.#all[index - 1]]) {
      if (picture?.isResult) void this.#readEntry(picture, this.#ending.signal);
    }
  }

  /** Returns the index of a picture, named by its path from the folder; -1 if it is not among them. */
  indexOf(folder: FilePlace, view: EncodedPath): number {
    return this.#indices.get(idOf(folder, view)) ?? -1;
  }

  at(index: number): SequencePicture | undefined {
    return this.#all[index];
  }

  async adjacent(index: number, step: 1 | -1): Promise<number | null> {
    const to = index + step;
    while (to >= this.#all.length && this.#next !== null) await this.#more();
    return to >= 0 && to < this.#all.length ? to : null;
  }

  /** Takes out a picture that was moved to the trash. */
  remove(folder: FilePlace, name: EncodedPath): void {
    const index = this.indexOf(folder, name);
    if (index >= 0) this.#set(this.#all.toSpliced(index, 1), this.#unread);
  }

  /** Applies new names of a folder's files. */
  renamed(folder: FilePlace, names: ReadonlyMap<EncodedPath, EncodedPath>): void {
    const all = this.#all.map((picture) => {
      const isHere = picture.folder.root === folder.root && picture.folder.path === folder.path;
      const name = isHere ? names.get(encodeName(picture.entry)) : undefined;
      return name === undefined ? picture : { ...picture, entry: { ...picture.entry, ...nameFields(name) } };
    });
    this.#set(all, this.#unread);
  }

  #set(all: readonly FoundPicture[], unread: number): void {
    this.#all = all;
    this.#unread = unread;
    this.version += 1;
  }

  #more(): Promise<void> {
    const next = this.#next;
    if (next === null || this.#reading) return this.#reading ?? Promise.resolve();
    const reading = this.#attempt(next).then(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    return (this.#reading = reading);
  }

  async #attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch {
      // The picture itself is shown; only those beyond the read ones are unknown.
      if (this.#next !== read) return;
      this.#next = null;
      this.#set(this.#all, 0);
    }
  }

  async #readResults(query: string, after: string | null, signal: AbortSignal): Promise<void> {
    const { items, total, anchor } = await this.sources.search.find("picture", query, { limit: RESULTS_AT_ONCE, anchor: after }, signal);
    if (signal.aborted) return;
    const all = [...this.#all, ...items.map(ofResult)];
    const hasMore = Boolean(anchor) && items.length > 0;
    this.#next = hasMore ? () => this.#readResults(query, anchor ?? null, signal) : null;
    this.#set(all, hasMore ? Math.max(0, total - all.length) : 0);
  }

  async #readEntry(picture: FoundPicture, signal: AbortSignal): Promise<void> {
    const { folder } = picture;
    const around = encodeName(picture.entry);
    delete picture.isResult;
    try {
      const { entries } = await this.sources.folders.list({ ...folder, sort: "name", order: "asc", offset: 0, limit: 1, around }, signal);
      const entry = entries.find((one) => encodeName(one) === around);
      const index = this.indexOf(folder, around);
      if (entry && index >= 0 && !signal.aborted) this.#set(this.#all.with(index, { folder, entry }), this.#unread);
    } catch {
      // The reason is shown in the picture's place.
    }
  }

  async #readAlbum({ id, within }: AlbumTour, signal: AbortSignal): Promise<void> {
    const { pictures } = await this.sources.albums.get(id, signal);
    if (signal.aborted) return;
    const present = pictures.flatMap((picture) => ofAlbum(picture) ?? []);
    if (within?.order === "desc") present.reverse();
    this.#next = null;
    this.#set(present.slice(0, within?.limit), 0);
  }
}

function idOf({ root, path }: FilePlace, name: EncodedPath): string {
  return folderId({ root, path: resolvePath(path, name) });
}

/** Returns a picture of an album in its own folder; null unless it is there. */
function ofAlbum({ root, entry }: AlbumPicture): SequencePicture | null {
  return typeof root === "string" && entry ? { folder: { root, path: folderOf(joinPath(ROOT_PATH, entry)) }, entry: { ...entry, folder: null, folder_bytes: null } } : null;
}

function ofResult({ root, root_path, root_path_bytes, title, version, turn, crop, taken }: PictureResult): FoundPicture {
  const path = encodePathFields(root_path, root_path_bytes);
  // The sizes of the file and of the picture are not among the results.
  const entry: FolderEntry = { ...nameFields(lastSegment(path)), kind: "picture", size: 0, mtime: "", id: version ?? null, turn, crop, taken, video: isVideoName(title.text) };
  return { folder: { root, path: folderOf(path) }, entry, isResult: true };
}

function folderOf(path: EncodedPath): EncodedPath {
  return parentPath(path) ?? ROOT_PATH;
}

function nameFields(name: EncodedPath): Pick<FolderEntry, "name" | "name_bytes"> {
  const fields = pathFields(name);
  return { name: readableSegment(name), name_bytes: "path_bytes" in fields ? fields.path_bytes : null };
}
