// The subfolders of the folders that are expanded in the tree, read when one is expanded.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { Backend, FolderEntry, FolderListing } from "../../api/backend";
import { encodePathFields, type EncodedPath, joinPath, parentPath } from "../../api/names";
import { BranchWatches } from "./branch-watches";
import { FolderCounts } from "./folder-counts";
import { folderId, folderOfId } from "../entries/folder-place";

const PART_SIZE = 1_000;

export interface FolderNode {
  root: string;
  path: EncodedPath;
  name: string;
}

export type Children = readonly FolderNode[] | "loading" | "failed";

export class FolderBranches {
  readonly expanded = new SvelteSet<string>();
  readonly #children = new SvelteMap<string, Children>();
  readonly #counts: FolderCounts;
  readonly #watches: BranchWatches | null;

  /** The folders that were read. */
  readonly #places = new Map<string, { reading: boolean; again: boolean }>();

  /**
   * Creates the tree, which follows the server's events until `ending`. With `watched`, expanded folders are watched
   * for all changes.
   */
  constructor(
    private readonly backend: Backend,
    ending: AbortSignal,
    { watched = false } = {},
  ) {
    this.#counts = new FolderCounts(backend.folders, ending);
    this.#watches = watched ? new BranchWatches(backend, (id) => this.#hear(id), ending) : null;
    const removers = [
      backend.events.on("folder.changed", ({ root, path, path_bytes }) => {
        if (path !== null && path !== undefined) this.#hear(folderId({ root, path: encodePathFields(path, path_bytes) }));
      }),
      backend.events.on("resync", () => {
        this.#counts.markAllStale();
        for (const id of this.#places.keys()) {
          if (this.expanded.has(id)) this.#hear(id);
        }
      }),
    ];
    ending.addEventListener("abort", () => {
      for (const remove of removers) remove();
    });
  }

  /** Returns the subfolders; undefined if they were never requested. */
  childrenOf(root: string, path: EncodedPath): Children | undefined {
    return this.#children.get(folderId({ root, path }));
  }

  /** Counts all folders again. The previous numbers are shown until then. */
  recount(): void {
    this.#counts.markAllStale();
  }

  /** Returns the number of pictures in a folder itself; undefined until it is known. */
  picturesIn(root: string, path: EncodedPath): number | undefined {
    return this.#counts.of(folderId({ root, path }))?.pictures;
  }

  /** True if a folder is known to have no subfolders. */
  isLeaf(root: string, path: EncodedPath): boolean {
    return this.childrenOf(root, path) !== "failed" && this.#counts.of(folderId({ root, path }))?.folders === 0;
  }

  /** Sets the visible rows, the most important first. Unknown counts of their folders are requested. */
  see(ids: readonly string[]): void {
    // A folder that is being read reports its own count, and a failed one shows the failure.
    this.#counts.see(ids.filter((id) => !this.#isTelling(id)));
  }

  toggle(root: string, path: EncodedPath): void {
    const id = folderId({ root, path });
    if (this.expanded.delete(id)) this.#watches?.end(id);
    else this.#expand(root, path);
  }

  /** Expands all ancestors of a folder that is visited, so that it is visible. */
  reveal(root: string, path: EncodedPath): void {
    const id = folderId({ root, path });
    // An unwatched folder may have changed without a notification.
    if (this.#counts.isOld(id)) this.#hear(id);
    for (let above = parentPath(path); above !== null; above = parentPath(above)) this.#expand(root, above);
  }

  /** Resets the failed folders of a root that has become available again. */
  forgetFailed(root: string): void {
    for (const id of this.#places.keys()) {
      if (folderOfId(id).root === root && this.#children.get(id) === "failed") this.#children.delete(id);
    }
  }

  #isTelling(id: string): boolean {
    const children = this.#children.get(id);
    return children === "loading" || children === "failed";
  }

  /** Handles a possible change of a folder. */
  #hear(id: string): void {
    if (this.#places.has(id)) void this.#follow(id);
    else this.#counts.markStale(id);
  }

  #expand(root: string, path: EncodedPath): void {
    const id = folderId({ root, path });
    this.expanded.add(id);
    const wasUnwatched = this.#watches?.use(id) ?? false;
    const children = this.#children.get(id);
    if (children === undefined || children === "failed") void this.#read(id);
    // Reads changes from before the watch started.
    else if (wasUnwatched) void this.#follow(id);
  }

  /** Reads a folder again. Its current contents stay until the answer arrives. */
  async #follow(id: string): Promise<void> {
    const place = this.#places.get(id);
    if (!place) return;
    place.again = true;
    if (place.reading) return;
    place.reading = true;
    while (place.again) {
      place.again = false;
      await this.#renew(id);
    }
    place.reading = false;
  }

  async #read(id: string): Promise<void> {
    this.#children.set(id, "loading");
    this.#places.set(id, { reading: false, again: false });
    await this.#follow(id);
  }

  async #renew(id: string): Promise<void> {
    const { root, path } = folderOfId(id);
    try {
      await this.#watches?.ready(id);
      const folders = await this.#foldersIn(root, path);
      this.#children.set(
        id,
        folders.map((entry) => ({ root, path: joinPath(path, entry), name: entry.name })),
      );
    } catch {
      // The previous contents stay. A notification follows when the folder is available again.
      if (Array.isArray(this.#children.get(id))) return;
      // The row shows the failure. Expanding it again repeats the request.
      this.#children.set(id, "failed");
      this.expanded.delete(id);
      this.#watches?.end(id);
    }
  }

  async #foldersIn(root: string, path: EncodedPath): Promise<FolderEntry[]> {
    const folders: FolderEntry[] = [];
    const query = { root, path, sort: "name", kind: "folder", limit: PART_SIZE } as const;
    for (let offset = 0, listing: string | null = null; ; offset += PART_SIZE) {
      const part: FolderListing = await this.backend.folders.list({ ...query, offset, listing });
      this.#counts.put(folderId({ root, path }), { pictures: part.pictures, folders: part.total });
      folders.push(...part.entries);
      listing = part.listing;
      if (offset + PART_SIZE >= part.total) return folders;
    }
  }
}
