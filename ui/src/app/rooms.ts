// The rooms' code, each in a chunk of its own; a chunk that failed to come is asked for again.

export const loadWiki = once(() => import("../wiki"));

export const loadFolders = once(() => import("../folders"));

/** The editor comes with the id of this tab, which is claimed once. */
export const loadEditor = once(async () => {
  const [{ EditorRoom }, tabId] = await Promise.all([import("../editor"), claimTab()]);
  return { EditorRoom, tabId };
});

async function claimTab(): Promise<string> {
  const { claimTabId } = await import("../locks/tab-id");
  return claimTabId();
}

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
