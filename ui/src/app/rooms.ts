// The rooms' code, each in a chunk of its own; a chunk that failed to come is asked for again.

export const loadWiki = once(() => import("../wiki"));

export const loadFolders = once(() => import("../folders"));

export const loadEditor = once(() => import("../editor"));

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
