// The backend of the folder views, for which a picture of several files is one: a raw file with its JPEG, or the parts of
// a Live Photo.
import type { Backend } from "./backend";

/**
 * Returns a backend whose listings join such files, and whose operations apply to all of them, as long as `isJoined`
 * returns true. A request that states its own choice keeps it.
 */
export function withJoinedFiles(backend: Backend, isJoined: () => boolean): Backend {
  const { folders, files, albums } = backend;
  const joined = () => isJoined() || undefined;
  return {
    ...backend,
    folders: { ...folders, list: (query, signal) => folders.list({ joined: joined(), ...query }, signal) },
    albums: {
      ...albums,
      list: (signal, own = joined()) => albums.list(signal, own),
      get: (id, signal, own = joined()) => albums.get(id, signal, own),
      takeOut: (id, items, own = joined()) => albums.takeOut(id, items, own),
      takeOutPlaces: (id, places, own = joined()) => albums.takeOutPlaces(id, places, own),
    },
    files: {
      ...files,
      rename: (folder, names, own = joined()) => files.rename(folder, names, own),
      conflicts: (items, to, own = joined(), signal) => files.conflicts(items, to, own, signal),
      move: (items, to, existing, own = joined()) => files.move(items, to, existing, own),
      copy: (items, to, existing, own = joined()) => files.copy(items, to, existing, own),
      bin: (items, own = joined()) => files.bin(items, own),
      mark: (items, change) => files.mark(items, { joined: joined(), ...change }),
      marks: (place, signal, own = joined()) => files.marks(place, signal, own),
      allTags: (own = joined(), signal) => files.allTags(own, signal),
      tagEffects: (rename, signal, own = joined()) => files.tagEffects(rename, signal, own),
      renameTags: (rename, own = joined()) => files.renameTags(rename, own),
      tags: (folder, options) => files.tags(folder, { joined: joined(), ...options }),
    },
  };
}
