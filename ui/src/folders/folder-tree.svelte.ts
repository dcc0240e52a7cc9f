// The subfolders of the folders that are open in the tree, read when one is opened.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { Backend, FolderEntry, FolderListing } from "../api/backend";
import { encodeToldPath, type EncodedPath, joinPath, parentPath } from "../api/names";

const AT_ONCE = 1_000;

export interface FolderNode {
  root: string;
  path: EncodedPath;
  name: string;
}

export type Children = readonly FolderNode[] | "loading" | "failed";

export class FolderBranches {
  readonly expanded = new SvelteSet<string>();
  readonly #children = new SvelteMap<string, Children>();

  readonly #pictures = new SvelteMap<string, number>();
  /** Those that were read. */
  readonly #places = new Map<string, { root: string; path: EncodedPath; reading: boolean; again: boolean }>();

  /** What is told from now on is followed, until `ending`. */
  constructor(
    private readonly backend: Backend,
    ending: AbortSignal,
  ) {
    const removers = [
      backend.events.on("folder.changed", ({ root, path, path_bytes }) => {
        if (path !== null && path !== undefined) void this.#follow(root, encodeToldPath(path, path_bytes));
      }),
      backend.events.on("resync", () => {
        for (const [id, { root, path }] of this.#places) {
          if (this.expanded.has(id)) void this.#follow(root, path);
        }
      }),
    ];
    ending.addEventListener("abort", () => {
      for (const remove of removers) remove();
    });
  }

  /** undefined: never asked. */
  childrenOf(root: string, path: EncodedPath): Children | undefined {
    return this.#children.get(idOf(root, path));
  }

  /** How many pictures lie in a folder itself; undefined until it has been read. */
  picturesIn(root: string, path: EncodedPath): number | undefined {
    return this.#pictures.get(idOf(root, path));
  }

  toggle(root: string, path: EncodedPath): void {
    const id = idOf(root, path);
    if (this.expanded.delete(id)) return;
    this.#expand(root, path);
  }

  /** Opens everything above a folder, so that it can be seen. */
  reveal(root: string, path: EncodedPath): void {
    for (let above = parentPath(path); above !== null; above = parentPath(above)) this.#expand(root, above);
  }

  /** The root is there again: what could not be read of it is as if nobody had asked. */
  forgetFailed(root: string): void {
    for (const [id, place] of this.#places) {
      if (place.root === root && this.#children.get(id) === "failed") this.#children.delete(id);
    }
  }

  #expand(root: string, path: EncodedPath): void {
    const id = idOf(root, path);
    this.expanded.add(id);
    const known = this.#children.get(id);
    if (known === undefined || known === "failed") void this.#read(root, path);
  }

  /** Reads a folder again that was read before. What is shown stays until the answer has come. */
  async #follow(root: string, path: EncodedPath): Promise<void> {
    const place = this.#places.get(idOf(root, path));
    if (!place) return;
    place.again = true;
    if (place.reading) return;
    place.reading = true;
    while (place.again) {
      place.again = false;
      await this.#renew(root, path);
    }
    place.reading = false;
  }

  async #read(root: string, path: EncodedPath): Promise<void> {
    const id = idOf(root, path);
    this.#children.set(id, "loading");
    this.#places.set(id, { root, path, reading: false, again: false });
    await this.#follow(root, path);
  }

  async #renew(root: string, path: EncodedPath): Promise<void> {
    const id = idOf(root, path);
    try {
      const folders = await this.#foldersIn(root, path);
      this.#children.set(
        id,
        folders.map((entry) => ({ root, path: joinPath(path, entry), name: entry.name })),
      );
    } catch {
      // What was there stays; it is told when the folder is there again.
      if (Array.isArray(this.#children.get(id))) return;
      // The row says so; opening it again asks again.
      this.#children.set(id, "failed");
      this.expanded.delete(id);
    }
  }

  async #foldersIn(root: string, path: EncodedPath): Promise<FolderEntry[]> {
    const folders: FolderEntry[] = [];
    const asked = { root, path, sort: "name", kind: "folder", limit: AT_ONCE } as const;
    for (let offset = 0, listing: string | null = null; ; offset += AT_ONCE) {
      const found: FolderListing = await this.backend.folders.list({ ...asked, offset, listing });
      this.#pictures.set(idOf(root, path), found.pictures);
      folders.push(...found.entries);
      listing = found.listing;
      if (offset + AT_ONCE >= found.total) return folders;
    }
  }
}

export function idOf(root: string, path: EncodedPath): string {
  return `${root}/${path}`;
}

