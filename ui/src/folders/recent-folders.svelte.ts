// The folders that were looked at last, the latest first. The server keeps them for the person, so that they outlive the
// window; here they are known from what was looked at since.
import { untrack } from "svelte";
import type { FilePlace, Root, UsersApi } from "../api/backend";
import { encodeToldPath, parentPath, readableSegment, segmentsOf } from "../api/names";
import { picturesAddress } from "../api/pictures-address";
import { shownName } from "./shown-name";

/** As many as the server keeps. */
const KEPT = 50;

/** Whoever leaves a folder sooner has passed through it, in milliseconds. */
const STAY = 1_000;

/** A folder as it is shown in a list. */
export interface RecentFolder {
  place: FilePlace;
  /** What it is called. */
  label: string;
  /** In what it lies: the folders from the root on, or where in the file system the root is. */
  within: string;
  address: string;
  /** Whether its root is there. */
  available: boolean;
}

export class RecentFolders {
  #places = $state.raw<readonly FilePlace[]>([]);
  /** What is on its way to the server, one after the other: the order is what it tells. */
  #writing: Promise<void> = Promise.resolve();
  #changes = 0;

  constructor(private readonly users: Pick<UsersApi, "folders" | "visitFolder" | "forgetFolder">) {}

  get places(): readonly FilePlace[] {
    return this.#places;
  }

  /** A folder is shown; it is noted if it stays so for a moment. Returns how to tell that it is shown no more. */
  stay(place: FilePlace): () => void {
    const timer = setTimeout(() => this.note(place), STAY);
    return () => clearTimeout(timer);
  }

  note(place: FilePlace): void {
    this.#put([place, ...this.#without(place)].slice(0, KEPT));
    // An extra: nobody is told that it was not noted, and what concerns everything the frame tells.
    this.#writing = this.#writing.then(() => this.users.visitFolder(place)).catch(() => {});
  }

  /** Rejects where it is still on the server's list. */
  forget(place: FilePlace): Promise<void> {
    this.#put(this.#without(place));
    const forgotten = this.#writing.then(() => this.users.forgetFolder(place));
    this.#writing = forgotten.catch(() => {});
    return forgotten;
  }

  /** What the server knows, also from other windows. */
  async read(): Promise<void> {
    let places: FilePlace[];
    let before: number;
    do {
      before = this.#changes;
      await this.#writing;
      try {
        const folders = await this.users.folders();
        places = folders.map(({ root, path, path_bytes }) => ({ root, path: encodeToldPath(path, path_bytes) }));
      } catch {
        // What is known stays.
        return;
      }
    } while (before !== this.#changes);
    this.#places = places;
  }

  #put(places: readonly FilePlace[]): void {
    this.#places = places;
    this.#changes += 1;
  }

  #without(place: FilePlace): FilePlace[] {
    // Whoever notes a folder in an effect does not follow the list: noting would call for noting again.
    return untrack(() => this.#places).filter(({ root, path }) => root !== place.root || path !== place.path);
  }
}

/** The latest of them as they are shown; what lies in a root that is not open (any more) is left out. */
export function recentFolders(places: readonly FilePlace[], roots: readonly Root[], limit = Infinity): RecentFolder[] {
  const shown = places.flatMap<RecentFolder>((place) => {
    const root = roots.find(({ id }) => id === place.root);
    return root ? [shownIn(root, place)] : [];
  });
  return shown.slice(0, limit);
}

function shownIn(root: Root, place: FilePlace): RecentFolder {
  const names = segmentsOf(place.path);
  const last = names.at(-1);
  const above = [root.name, ...segmentsOf(parentPath(place.path) ?? place.path).map(readableSegment)];
  return {
    place,
    label: shownName(last === undefined ? root.name : readableSegment(last)),
    within: last === undefined ? shownName(root.path) : above.map(shownName).join("/"),
    address: picturesAddress(place.root, place.path),
    available: root.available,
  };
}
