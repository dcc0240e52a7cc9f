// The recently visited folders, the latest first. The server stores them for the user, so that they outlive the window.
// The client adds the visits since its last read.
import { untrack } from "svelte";
import type { FilePlace, Root, UsersApi } from "../../api/backend";
import { encodePathFields, parentPath, readableSegment, segmentsOf } from "../../api/names";
import { picturesAddress } from "../../api/addresses/pictures-address";
import { displayName } from "../entries/display-name";

/** The limit of the server's list. */
const MAX_FOLDERS = 50;

/** The minimum duration of a visit, in milliseconds. */
const MIN_VISIT_MS = 1_000;

/** A folder as an item of a list. */
export interface RecentFolder {
  place: FilePlace;
  /** The name of the folder. */
  label: string;
  /** The location of the folder: its ancestors from the root on, or the file system path of a root. */
  within: string;
  address: string;
  /** True if its root is available. */
  available: boolean;
}

export class RecentFolders {
  #places = $state.raw<readonly FilePlace[]>([]);
  /** The chain of writes to the server, one after the other, as their order matters. */
  #writing: Promise<void> = Promise.resolve();
  #changes = 0;

  constructor(private readonly users: Pick<UsersApi, "folders" | "visitFolder" | "forgetFolder">) {}

  get places(): readonly FilePlace[] {
    return this.#places;
  }

  /** Records the folder if it stays shown for a moment. Returns a function to call when it no longer is. */
  recordVisit(place: FilePlace): () => void {
    const timer = setTimeout(() => this.note(place), MIN_VISIT_MS);
    return () => clearTimeout(timer);
  }

  note(place: FilePlace): void {
    this.#put([place, ...this.#placesWithout(place)].slice(0, MAX_FOLDERS));
    // A failed record is not reported: the list is a convenience, and the frame reports general failures.
    this.#writing = this.#writing.then(() => this.users.visitFolder(place)).catch(() => {});
  }

  /** Removes a folder. Rejects if it is still on the server's list. */
  forget(place: FilePlace): Promise<void> {
    this.#put(this.#placesWithout(place));
    const forgotten = this.#writing.then(() => this.users.forgetFolder(place));
    this.#writing = forgotten.catch(() => {});
    return forgotten;
  }

  /** Reads the server's list, which includes visits in other windows. */
  async read(): Promise<void> {
    let places: FilePlace[];
    let before: number;
    do {
      before = this.#changes;
      await this.#writing;
      try {
        const folders = await this.users.folders();
        places = folders.map(({ root, path, path_bytes }) => ({ root, path: encodePathFields(path, path_bytes) }));
      } catch {
        // The known list stays.
        return;
      }
    } while (before !== this.#changes);
    this.#places = places;
  }

  #put(places: readonly FilePlace[]): void {
    this.#places = places;
    this.#changes += 1;
  }

  #placesWithout(place: FilePlace): FilePlace[] {
    // Untracked: an effect that records a folder must not depend on the list that it changes.
    return untrack(() => this.#places).filter(({ root, path }) => root !== place.root || path !== place.path);
  }
}

/** Returns the latest folders for display. Folders in a root that is not open (any more) are left out. */
export function recentFolders(places: readonly FilePlace[], roots: readonly Root[], limit = Infinity): RecentFolder[] {
  const results = places.flatMap<RecentFolder>((place) => {
    const root = roots.find(({ id }) => id === place.root);
    return root ? [shownIn(root, place)] : [];
  });
  return results.slice(0, limit);
}

function shownIn(root: Root, place: FilePlace): RecentFolder {
  const names = segmentsOf(place.path);
  const last = names.at(-1);
  const above = [root.name, ...segmentsOf(parentPath(place.path) ?? place.path).map(readableSegment)];
  return {
    place,
    label: displayName(last === undefined ? root.name : readableSegment(last)),
    within: last === undefined ? displayName(root.path) : above.map(displayName).join("/"),
    address: picturesAddress(place.root, place.path),
    available: root.available,
  };
}
