// The backend as of a moment: pages, their texts and the tree are read as they were then.
import type { Backend } from "./backend";

/** Only reads are of the moment; the caller offers nothing that writes. */
export function pastBackend(backend: Backend, at: string): Backend {
  const { pages, moves } = backend;
  return {
    ...backend,
    pages: {
      ...pages,
      resolve: (path, signal) => pages.resolve(path, signal, at),
      source: (id, _revision, signal) => pages.source(id, null, signal, at),
      meta: (id, _revision, signal) => pages.meta(id, null, signal, at),
      path: async (id, signal) => (await pages.meta(id, null, signal, at)).page_info.path.value,
    },
    moves: { ...moves, children: (path, signal) => moves.children(path, signal, at) },
  };
}
