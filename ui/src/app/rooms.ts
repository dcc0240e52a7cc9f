// The rooms' code, each in a chunk of its own; a chunk that failed to come is asked for again.

export const loadWiki = once(() => import("../wiki"));

export const loadFolders = once(() => import("../folders"));

export const loadEditor = once(() => import("../editor"));

/** The id of this tab, claimed when the editor is first entered. */
export const claimTab = once(async () => {
  const { claimTabId } = await import("../editor/tab-id");
  return claimTabId();
});

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
