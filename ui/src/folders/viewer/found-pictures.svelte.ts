// The pictures of a search or an album, from which one was opened: its neighbours, and its number among them.
import type { AlbumPicture, AlbumsApi } from "../../api/albums";
import type { GalleryPlace } from "../../api/addresses/gallery-address";
import type { FilePlace } from "../../api/backend";
import { encodeName, type EncodedPath, encodePathFields, lastSegment, parentPath, resolvePath, ROOT_PATH } from "../../api/names";
import type { PictureResult, SearchApi } from "../../api/search";

/** The greatest number of results that are gone through. */
const MAX_RESULTS = 100;

/** The pictures that are gone through: the results of a search, or an album. */
export type Tour = { kind: "search"; query: string } | AlbumTour;

interface AlbumTour {
  kind: "album";
  id: string;
  /** The order and the limit of the box in a page from which a picture was opened; null for the album itself. */
  within: Pick<GalleryPlace, "order" | "limit"> | null;
}

/** A picture in a folder of any root. */
export interface FoundPicture {
  folder: FilePlace;
  name: EncodedPath;
}

interface Sources {
  search: Pick<SearchApi, "find">;
  albums: Pick<AlbumsApi, "get">;
}

export class FoundPictures {
  #all = $state.raw<readonly FoundPicture[]>([]);

  constructor(private readonly sources: Sources) {}

  get count(): number {
    return this.#all.length;
  }

  /** Reads the pictures. Returns a function that stops it. */
  follow(tour: Tour): () => void {
    const ending = new AbortController();
    this.#all = [];
    void this.#read(tour, ending.signal);
    return () => ending.abort();
  }

  /** Returns the index of a picture, named by its path from the folder; -1 if it is not among them. */
  indexOf({ root, path }: FilePlace, view: EncodedPath): number {
    const whole = resolvePath(path, view);
    return this.#all.findIndex(({ folder, name }) => folder.root === root && resolvePath(folder.path, name) === whole);
  }

  /** Returns the picture before (-1) or after (1) an index. */
  beside(index: number, by: 1 | -1): FoundPicture | null {
    return index < 0 ? null : (this.#all[index + by] ?? null);
  }

  async #read(tour: Tour, signal: AbortSignal): Promise<void> {
    try {
      const all = tour.kind === "search" ? await this.#results(tour.query, signal) : await this.#ofAlbum(tour, signal);
      if (!signal.aborted) this.#all = all;
    } catch {
      // The picture itself is shown; only its neighbours are unknown.
    }
  }

  async #results(query: string, signal: AbortSignal): Promise<FoundPicture[]> {
    const { items } = await this.sources.search.find("picture", query, { limit: MAX_RESULTS }, signal);
    return items.map(placeOf);
  }

  async #ofAlbum({ id, within }: AlbumTour, signal: AbortSignal): Promise<FoundPicture[]> {
    const { pictures } = await this.sources.albums.get(id, signal);
    const present = pictures.flatMap((picture) => albumPlace(picture) ?? []);
    if (within?.order === "desc") present.reverse();
    return present.slice(0, within?.limit);
  }
}

/** The folder and the name of a picture of an album; null unless it is there. */
export function albumPlace({ root, entry }: AlbumPicture): FoundPicture | null {
  if (typeof root !== "string" || !entry) return null;
  return placeAt(root, encodeName(entry));
}

function placeOf({ root, root_path, root_path_bytes }: PictureResult): FoundPicture {
  return placeAt(root, encodePathFields(root_path, root_path_bytes));
}

function placeAt(root: string, path: EncodedPath): FoundPicture {
  return { folder: { root, path: parentPath(path) ?? ROOT_PATH }, name: lastSegment(path) };
}
