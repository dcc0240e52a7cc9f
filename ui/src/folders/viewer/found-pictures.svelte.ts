// The pictures that a search has found, from which one was opened: its neighbours, and its number among them.
import type { FilePlace } from "../../api/backend";
import { type EncodedPath, encodePathFields, lastSegment, parentPath, resolvePath, ROOT_PATH } from "../../api/names";
import type { PictureResult, SearchApi } from "../../api/search";

/** The greatest number of results that are gone through. */
const MAX_RESULTS = 100;

/** A picture in a folder of any root. */
export interface FoundPicture {
  folder: FilePlace;
  name: EncodedPath;
}

export class FoundPictures {
  #all = $state.raw<readonly FoundPicture[]>([]);

  constructor(private readonly search: Pick<SearchApi, "find">) {}

  get count(): number {
    return this.#all.length;
  }

  /** Repeats a search. Returns a function that stops it. */
  follow(query: string): () => void {
    const ending = new AbortController();
    this.#all = [];
    void this.#read(query, ending.signal);
    return () => ending.abort();
  }

  /** Returns the index of a picture, named by its path from the folder; -1 if the search has not found it. */
  indexOf({ root, path }: FilePlace, view: EncodedPath): number {
    const whole = resolvePath(path, view);
    return this.#all.findIndex(({ folder, name }) => folder.root === root && resolvePath(folder.path, name) === whole);
  }

  /** Returns the picture before (-1) or after (1) an index. */
  beside(index: number, by: 1 | -1): FoundPicture | null {
    return index < 0 ? null : (this.#all[index + by] ?? null);
  }

  async #read(query: string, signal: AbortSignal): Promise<void> {
    try {
      const { items } = await this.search.find("picture", query, { limit: MAX_RESULTS }, signal);
      if (!signal.aborted) this.#all = items.map(placeOf);
    } catch {
      // The picture itself is shown; only its neighbours are unknown.
    }
  }
}

function placeOf({ root, root_path, root_path_bytes }: PictureResult): FoundPicture {
  const path = encodePathFields(root_path, root_path_bytes);
  return { folder: { root, path: parentPath(path) ?? ROOT_PATH }, name: lastSegment(path) };
}
