// What the room remembers while the page lives: the order that was chosen, and where one was in each folder.
import type { EncodedPath } from "../api/names";
import type { Order } from "./listing.svelte";

class FolderMemory {
  order = $state.raw<Order>({ sort: "name", order: "asc" });
  readonly #places = new Map<string, number>();

  placeIn(root: string, path: EncodedPath): number {
    return this.#places.get(this.#key(root, path)) ?? 0;
  }

  keepPlace(root: string, path: EncodedPath, index: number): void {
    this.#places.set(this.#key(root, path), index);
  }

  #key(root: string, path: EncodedPath): string {
    return `${root}/${path}?${this.order.sort}-${this.order.order}`;
  }
}

export const memory = new FolderMemory();
